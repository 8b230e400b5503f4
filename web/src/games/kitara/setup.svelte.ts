import type { CheckedPack } from "../../messages";
import { currentAddress } from "../../router.svelte";
import { defineSetup, type GameSetup } from "../game";
import Alone from "./AloneOptions.svelte";
import { lastRival, type Scenario } from "./alone";
import Options from "./Options.svelte";

export const DECKS = ["blue", "red"] as const;
export const TURNS = ["7/9", "6/8"] as const;

export class KitaraSetup implements GameSetup {
  // /new/kitara?pack=draft: the pack from the editor
  pack = $state<"shipped" | "own">(currentAddress().searchParams.has("pack") ? "own" : "shipped");
  packText = $state<string | null>(null); // the player's own pack
  checkedPack = $state.raw<CheckedPack | null>(null); // what the server says of it
  turns = $state<(typeof TURNS)[number]>("7/9");
  alone = $state(currentAddress().searchParams.has("alone"));
  rival = $state(lastRival());
  scenario = $state<Scenario>("open");
  #players = $state(2);
  #deck = $state<string>("blue");

  /** A pack may lack maps for some numbers of players. */
  get playerCounts(): readonly number[] {
    return (this.pack === "own" ? this.checkedPack?.players : undefined) ?? [2, 3, 4];
  }

  get players(): number {
    const counts = this.playerCounts;
    return !counts.length || counts.includes(this.#players) ? this.#players : counts[0]!;
  }

  set players(count: number) {
    this.#players = count;
  }

  /** It may lack a deck, too. */
  get decks(): readonly string[] {
    return (this.pack === "own" ? this.checkedPack?.decks : undefined) ?? DECKS;
  }

  get deck(): string {
    return this.decks.includes(this.#deck) ? this.#deck : this.decks[0]!;
  }

  set deck(deck: string) {
    this.#deck = deck;
  }

  get options(): Record<string, unknown> | null {
    if (this.pack === "own" && !this.packText) return null;
    return {
      ...(this.alone ? { players: 1, rival: this.rival, scenario: this.scenario } : { players: this.players }),
      deck: this.deck,
      turns: this.turns,
      ...(this.pack === "own" ? { pack: this.packText } : {}),
    };
  }
}

export default defineSetup<KitaraSetup>({ create: () => new KitaraSetup(), Options, Alone });
