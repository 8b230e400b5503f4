// Repeats recorded calls of kernels in WebAssembly, in Node.js and in browsers: tests/build/trace.py records them.

import { link, type Argument, type Library } from "../../web/src/kernels/library.ts";

// An argument or a result: an integer, a float, a truth value, nothing, or a buffer with an offset and extents.
type Value = { i: string } | { f: string } | { b: number } | { n: 0 } | { a: [number, number, ...number[]] };

type Step =
  | { write: number; bytes: string } // base64
  | { call: string; library: string; args: Value[]; result: Value; sums: [buffer: number, sum: number][]; seconds: number };

export interface Trace {
  buffers: number[]; // sizes in bytes
  steps: Step[];
}

/** Repeats all calls and compares results and memory by bytes; returns the number of calls. `timed` runs each of them. */
export function replay(
  modules: Record<string, WebAssembly.Module>,
  trace: Trace,
  timed: (kernel: string, seconds: number, run: () => Argument) => Argument = (_, __, run) => run(),
): number {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const libraries: Record<string, Library> = {};
  let end = 0;
  for (const [name, module] of Object.entries(modules)) {
    libraries[name] = link(module, memory, end);
    end = libraries[name].end;
  }
  const addresses = trace.buffers.map((size) => {
    const address = Math.ceil(end / 64) * 64;
    end = address + size;
    return address;
  });
  memory.grow(Math.max(0, Math.ceil((end - memory.buffer.byteLength) / 65536)));
  const bytes = new Uint8Array(memory.buffer);
  const buffer = (number: number) =>
    bytes.subarray(addresses[number], addresses[number]! + trace.buffers[number]!);
  let calls = 0;
  for (const step of trace.steps) {
    if ("write" in step) {
      buffer(step.write).set(Uint8Array.from(atob(step.bytes), (letter) => letter.charCodeAt(0)));
      continue;
    }
    const given = step.args.flatMap((value) => argument(value, addresses));
    const run = () => libraries[step.library]!.call(step.call, ...given);
    const result = timed(step.call, step.seconds, run);
    const where = `call ${calls++}, ${step.library}: ${step.call}`;
    if (!same(step.result, result)) {
      throw new Error(`${where} returned ${result}, not ${JSON.stringify(step.result)}`);
    }
    for (const [number, sum] of step.sums) {
      if (checksum(buffer(number)) !== sum) throw new Error(`${where} left other bytes in buffer ${number}`);
    }
  }
  if (memory.buffer !== bytes.buffer) throw new Error("the memory has grown while kernels ran");
  return calls;
}

/** Returns what a kernel that needs more memory than its arena has says. */
export function exhaust(module: WebAssembly.Module, trace: Trace): string {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const small = link(module, memory, 0, 64);
  memory.grow(256);
  const begin = Math.ceil(small.end / 64) * 64;
  const behind = new Uint8Array(memory.buffer).subarray(small.end, begin);
  behind.fill(7);
  const step = trace.steps.find((step) => "call" in step && step.call === "core_kernels_perft");
  if (!step || !("call" in step)) throw new Error("no perft was recorded");
  const given = step.args.flatMap((value) =>
    argument(
      value,
      trace.buffers.map(() => begin),
    ),
  );
  try {
    small.call(step.call, ...given);
  } catch (error) {
    return behind.every((byte) => byte === 7) ? String(error) : "memory behind the arena was written";
  }
  return "no error";
}

function argument(value: Value, addresses: number[]): Argument[] {
  if ("i" in value) return [BigInt(value.i)];
  if ("f" in value) return [Number(value.f)];
  if ("b" in value) return [value.b];
  if ("n" in value) throw new Error("nothing is no argument");
  const [number, offset, ...extents] = value.a;
  return [addresses[number]! + offset, ...extents];
}

function same(wanted: Value, result: Argument): boolean {
  if ("f" in wanted) return Object.is(Number(wanted.f), result);
  const number = "i" in wanted ? BigInt(wanted.i) : "b" in wanted ? BigInt(wanted.b) : 0n;
  return BigInt.asUintN(64, number) === BigInt.asUintN(64, result as bigint);
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
  return byte;
});

/** CRC-32, as zlib has it. */
function checksum(bytes: Uint8Array): number {
  let sum = -1;
  for (let at = 0; at < bytes.length; at++) sum = TABLE[(sum ^ bytes[at]!) & 255]! ^ (sum >>> 8);
  return ~sum >>> 0;
}
