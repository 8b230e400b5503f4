"""Synthesise the sounds of the boards: wood, paper, water and grass, a bell and a drum.

Run it after a change: python web/make_sounds.py

Each sound is a short mono WAV file, which every browser plays, below 15 kB: long sounds have half the sample rate,
those that are noise have 8-bit samples. The noise has fixed seeds, so the files are the same each time. Struck wood is
a sum of decaying modes, as of a small bar; paper, grass and water are filtered noise with the envelope of the gesture,
water with the rising tones of bubbles.
"""

import wave
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

RATE = 22_050
PEAK = 0.84  # of full scale: headroom against clipping
LONG = {"splash", "clash", "turn", "win", "lose"}
NOISY = {"card", "grass"}
SOUNDS = Path(__file__).parent / "src" / "sounds"
Samples = NDArray[np.float64]


def times(seconds: float) -> Samples:
    """Return the time of every sample."""
    return np.arange(int(RATE * seconds)) / RATE


def noise(seconds: float, seed: int, low: float, high: float) -> Samples:
    """Return noise between two frequencies, with soft edges in the spectrum."""
    samples = np.random.default_rng(seed).standard_normal(int(RATE * seconds))
    spectrum = np.fft.rfft(samples)
    frequencies = np.fft.rfftfreq(len(samples), 1 / RATE)
    spectrum *= 1 / (1 + (low / np.maximum(frequencies, 1)) ** 4) / (1 + (frequencies / high) ** 4)
    filtered = np.fft.irfft(spectrum, len(samples))
    return np.asarray(filtered / np.abs(filtered).max())


def swell(seconds: float, attack: float, decay: float) -> Samples:
    """Return an envelope that rises within `attack` and falls to a third within each `decay`."""
    at = times(seconds)
    return np.minimum(1, at / attack) * np.exp(-np.maximum(0, at - attack) / decay)


def mode(seconds: float, frequency: float, decay: float, glide: float = 0.0) -> Samples:
    """Return a decaying tone, which glides by a share of its frequency."""
    at = times(seconds)
    return np.sin(2 * np.pi * frequency * (at + glide * at**2 / (2 * seconds))) * np.exp(-at / decay)


def wood(seconds: float, pitch: float, click: float, seed: int) -> Samples:
    """Return a knock on wood: the modes of a bar that is free at both ends, and the click of the contact."""
    ratios = ((1.0, 1.0, 0.055), (2.76, 0.45, 0.03), (5.4, 0.22, 0.016), (8.93, 0.1, 0.01))
    body = sum(share * mode(seconds, pitch * ratio, decay) for ratio, share, decay in ratios)
    return np.asarray(body + click * noise(seconds, seed, 900, 5000) * swell(seconds, 0.0008, 0.006))


def move() -> Samples:
    """Return a pawn that is set down."""
    return wood(0.22, 310, 0.6, 1)


def take() -> Samples:
    """Return a pawn that strikes another one: two knocks, the second one deeper."""
    first, second = wood(0.3, 420, 0.9, 2), wood(0.24, 205, 0.7, 3)
    first[-len(second) :] += 1.1 * second
    return first


def place() -> Samples:
    """Return a token that is laid down on a table: bright, with a little bounce."""
    first, bounce = wood(0.26, 540, 0.8, 4), wood(0.19, 580, 0.5, 5)
    first[-len(bounce) :] += 0.35 * bounce
    return first


def card() -> Samples:
    """Return a card that slides off a pile and is laid down."""
    at = times(0.34)
    slide = noise(0.34, 6, 1800, 7500) * np.exp(-(((at - 0.11) / 0.06) ** 2))
    flutter = 1 + 0.5 * np.sin(2 * np.pi * 42 * at)
    snap = np.zeros_like(at)
    snap[int(0.21 * RATE) :] = (noise(0.34, 7, 700, 5000) * swell(0.34, 0.001, 0.014))[: len(at) - int(0.21 * RATE)]
    return np.asarray(0.7 * slide * flutter + snap)


def splash() -> Samples:
    """Return water: the burst of a splash, then bubbles whose tones rise."""
    seconds = 0.55
    sound = 0.8 * noise(seconds, 8, 500, 5200) * swell(seconds, 0.012, 0.085)
    bubbles = ((0.05, 520, 0.5), (0.13, 780, 0.42), (0.19, 610, 0.36), (0.27, 950, 0.26), (0.34, 700, 0.2))
    for start, pitch, share in bubbles:
        at = int(start * RATE)
        bubble = mode(0.12, pitch, 0.03, glide=0.9) * np.minimum(1, times(0.12) / 0.004)
        sound[at : at + len(bubble)] += share * bubble
    return np.asarray(sound)


def grass() -> Samples:
    """Return an animal that runs off through grass: three rustles, each softer."""
    at = times(0.6)
    paces = ((0.08, 1.0), (0.24, 0.75), (0.4, 0.5))
    steps = sum(share * np.exp(-(((at - when) / 0.045) ** 2)) for when, share in paces)
    return np.asarray(noise(0.6, 9, 2200, 7000) * steps + 0.35 * noise(0.6, 10, 300, 1200) * steps**2)


def clash() -> Samples:
    """Return spears on shields: a dull drum, wood on wood, and a rattle."""
    drum = mode(0.5, 96, 0.11, glide=-0.35) * np.minimum(1, times(0.5) / 0.003)
    sticks = np.zeros_like(drum)
    for start, pitch, seed in ((0.0, 640, 11), (0.055, 560, 12), (0.12, 700, 13)):
        knock = wood(0.2, pitch, 1.0, seed)
        at = int(start * RATE)
        sticks[at : at + len(knock)] += knock
    return np.asarray(1.1 * drum + 0.55 * sticks)


def bell(*tones: tuple[float, float]) -> Samples:
    """Return strokes on a thumb piano, given by their start and their pitch."""
    seconds = max(start for start, _ in tones) + 0.42
    sound = np.zeros(int(RATE * seconds))
    for start, pitch in tones:
        at = int(start * RATE)
        rest = (len(sound) - at) / RATE
        tine = mode(rest, pitch, 0.13) + 0.28 * mode(rest, 2 * pitch, 0.07) + 0.16 * mode(rest, 5.4 * pitch, 0.012)
        tine *= np.minimum(1, np.arange(len(tine)) / (0.003 * RATE))
        sound[at : at + len(tine)] += tine
    return sound


def refuse() -> Samples:
    """Return a dull double knock: this is not possible."""
    knock = (mode(0.26, 150, 0.03) + 0.4 * mode(0.26, 290, 0.02)) * np.minimum(1, times(0.26) / 0.004)
    knock[int(0.09 * RATE) :] += 0.8 * knock[: len(knock) - int(0.09 * RATE)]
    return np.asarray(knock)


def sounds() -> dict[str, Samples]:
    """Return every sound by its name."""
    return {
        "move": move(),
        "take": take(),
        "place": place(),
        "card": card(),
        "splash": splash(),
        "grass": grass(),
        "clash": clash(),
        "turn": bell((0, 523.3), (0.09, 659.3)),
        "win": bell((0, 523.3), (0.08, 659.3), (0.16, 784.0)),
        "lose": bell((0, 440.0), (0.1, 349.2)),
        "refuse": refuse(),
    }


def finished(samples: Samples) -> Samples:
    """Return samples without a constant part, at the same peak, and silent at both ends so that nothing clicks."""
    samples = samples - samples.mean()
    fade_in, fade_out = int(0.001 * RATE), int(0.03 * RATE)
    samples[:fade_in] *= np.linspace(0, 1, fade_in)
    samples[-fade_out:] *= np.linspace(1, 0, fade_out) ** 2
    return np.asarray(samples * PEAK / np.abs(samples).max())


def halved(samples: Samples) -> Samples:
    """Return samples at half the rate, without the frequencies that it cannot hold."""
    spectrum = np.fft.rfft(samples[: len(samples) // 2 * 2])
    return np.asarray(np.fft.irfft(spectrum[: len(samples) // 4 + 1], len(samples) // 2) / 2)


def write(path: Path, samples: Samples, rate: int, width: int) -> None:
    """Write samples of one byte (without a sign) or two."""
    data = np.round(samples * 127 + 128).astype(np.uint8) if width == 1 else np.round(samples * 32767).astype("<i2")
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(width)
        file.setframerate(rate)
        file.writeframes(data.tobytes())


if __name__ == "__main__":
    SOUNDS.mkdir(exist_ok=True)
    for name, samples in sounds().items():
        share = 2 if name in LONG else 1
        sound = finished(halved(samples) if name in LONG else samples)
        write(SOUNDS / f"{name}.wav", sound, RATE // share, 1 if name in NOISY else 2)
