// A game's kernels as WebAssembly: a side module, linked to a place in a memory that may belong to somebody else.
//
// An array is passed as its address and its extents, a struct as its address, an integer as a BigInt, a truth value as
// 0 or 1.

export type Argument = number | bigint;

export interface Library {
  /** Calls a kernel; it throws where the kernel failed, and leaves the arrays in any state. */
  call(name: string, ...args: Argument[]): Argument;
  /** The hash of the sources that it was built from. */
  sources: string;
  /** The first address behind the library. */
  end: number;
}

// How much the stack takes, and the arrays that kernels make for themselves.
const STACK = 1 << 18;
const ARENA = 1 << 20;
const FAILED = -(1n << 63n);
const HASH = 20; // characters
const MEMORY_INFO = 1; // of the section that says what a side module needs

/** Links a module to the memory from an address on, which has to be free. The memory grows as needed. */
export function link(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  begin: number,
  arenaSize = ARENA,
): Library {
  const needs = memoryNeeds(module);
  // The stack grows down, away from the data.
  const stack = align(begin + STACK, 16);
  const data = align(stack, needs.align);
  const arena = align(data + needs.size, 16);
  const end = arena + arenaSize;
  const missing = end - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / 65536));
  new Uint8Array(memory.buffer, data, needs.size).fill(0);
  const constant = (value: number) => new WebAssembly.Global({ value: "i32" }, value);
  const { exports } = new WebAssembly.Instance(module, {
    env: {
      memory,
      __memory_base: constant(data),
      __table_base: constant(0),
      __stack_pointer: new WebAssembly.Global({ value: "i32", mutable: true }, stack),
    },
  });
  // Exported addresses count from the beginning of the data.
  const address = (name: string) => data + ((exports[name] as WebAssembly.Global).value as number);
  const status = address("status");
  new BigInt64Array(memory.buffer, address("arena"), 2).set([BigInt(arena), BigInt(end)]);
  return {
    call(name, ...args) {
      const kernel = exports[name];
      if (typeof kernel !== "function") throw new Error(`no kernel is called ${name}`);
      const value = (kernel as (...args: Argument[]) => Argument)(...args);
      if (value === FAILED || Number.isNaN(value)) {
        const failed = new BigInt64Array(memory.buffer, status, 1); // the buffer is new whenever the memory has grown
        if (failed[0]) {
          failed[0] = 0n;
          throw new Error(`${name} failed in compiled code`);
        }
      }
      return value;
    },
    sources: new TextDecoder().decode(new Uint8Array(memory.buffer, address("sources"), HASH)),
    end,
  };
}

function align(address: number, to: number): number {
  return Math.ceil(address / to) * to;
}

/** How many bytes of data a side module has, and what their address is a multiple of. */
function memoryNeeds(module: WebAssembly.Module): { size: number; align: number } {
  const [section] = WebAssembly.Module.customSections(module, "dylink.0");
  if (!section) throw new Error("not a side module");
  const bytes = new Uint8Array(section);
  let at = 0;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const kind = bytes[at++];
    const length = number();
    if (kind === MEMORY_INFO) return { size: number(), align: 1 << number() };
    at += length;
  }
  return { size: 0, align: 1 };
}
