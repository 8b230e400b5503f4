// Short sounds of wood, paper, water and grass: the samples that web/make_sounds.py makes.
import { settings } from "./settings.svelte";

// How loud each sound is.
const SOUNDS = {
  move: 0.9,
  take: 1,
  place: 0.8,
  card: 0.7,
  splash: 0.8,
  grass: 0.8,
  clash: 1,
  turn: 0.35,
  win: 0.5,
  lose: 0.45,
  refuse: 0.5,
};
export type Sound = keyof typeof SOUNDS;

const FILES = import.meta.glob<string>("./sounds/*.wav", { query: "?url", import: "default", eager: true });
const samples = new Map<Sound, Promise<AudioBuffer>>();
let context: AudioContext | undefined;

async function load(sound: Sound, into: AudioContext): Promise<AudioBuffer> {
  const file = await fetch(FILES[`./sounds/${sound}.wav`]!);
  return into.decodeAudioData(await file.arrayBuffer());
}

export function playSound(sound: Sound): void {
  if (!settings.sound || !settings.volume || !navigator.userActivation?.hasBeenActive) return;
  const output = (context ??= new AudioContext());
  if (output.state === "suspended") void output.resume();
  if (!samples.has(sound)) samples.set(sound, load(sound, output));
  samples.get(sound)!.then(
    (buffer) => {
      const source = new AudioBufferSourceNode(output, { buffer });
      const gain = new GainNode(output, { gain: SOUNDS[sound] * settings.volume ** 2 });
      source.connect(gain).connect(output.destination);
      source.start();
    },
    () => samples.delete(sound), // without a connection: it is tried again next time
  );
}
