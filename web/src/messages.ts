// Made by `python -m mchezo.server.typescript` from src/mchezo/server/messages/; do not edit.

/** How far the analysis of a game is, and what was found: all of it, or after what was asked for. */
export interface Analysed {
  status: "done" | "failed" | "none" | "waiting";
  done: number;
  total: number;
  moves: Array<AnalysedMove>;
  accuracy: Array<number | null>;
}

/** What is thought of one decision; chances and points of every seat, with the best move and with the one played. */
export interface AnalysedMove {
  number: number;
  seat: number;
  move: string;
  best: Array<string>;
  did: Array<Told>;
  chances: Array<number>;
  after: Array<number>;
  points: Array<number>;
  points_after: Array<number>;
  mark: "" | "blunder" | "inaccuracy" | "missed win" | "mistake";
  solved: boolean;
  why: Told | null;
}

/** An animal on the board. */
export interface Animal {
  animal: "C" | "E" | "G" | "L" | "Z";
  seat: number;
  hidden: boolean;
}

/** Answer what another player asked; declining your own request takes it back. */
export interface Answer {
  type: "answer";
  id: string;
  what: "draw" | "rematch" | "revenge" | "takeback";
  yes: boolean;
  seat?: number | null;
}

/** A player answered. */
export interface Answered {
  key: "answered";
  seat: number;
  what: "draw" | "rematch" | "revenge" | "takeback";
  yes: boolean;
  number: number;
  at: number;
}

/** Ask the other players for a draw, for the last move back, or for another game (revenge: with changed sides). */
export interface Ask {
  type: "ask";
  id: string;
  what: "draw" | "rematch" | "revenge" | "takeback";
  seat?: number | null;
}

/** An open question among the players. */
export interface Asked {
  what: "draw" | "rematch" | "revenge" | "takeback";
  seat: number;
  agreed: Array<number>;
}

/** A player asked for something. */
export interface AskedFor {
  key: "asked";
  seat: number;
  what: "draw" | "rematch" | "revenge" | "takeback";
  number: number;
  at: number;
}

/** Moves on the board of an example, from its start. */
export interface Attempt {
  moves?: Array<string>;
}

/** What moves on an example's board come to. `words` says why, in the language asked for. */
export interface Attempted {
  moves: Array<string>;
  view: KatarengaView | KiwaraView | KitaraView;
  legal: Array<string>;
  verdict: "met" | "missed" | "open" | "refused";
  words: string;
  previews: Record<string, Preview>;
}

/** How the game ended on the board. */
export interface BoardOutcome {
  winners: Array<number>;
  scores: Array<number>;
  reason: string;
}

/** What games of the computer say of a board: White's score in percent, and half the width of its 95 % interval. */
export interface BoardRating {
  turns: Array<Array<number>>;
  chosen: number;
  balanced: boolean;
}

/** An API token for a bot: `Authorization: Bearer TOKEN`. */
export interface BotToken {
  token: string;
  name: string;
}

/** A pack of Kitara, to be checked as `mchezo pack check` does. */
export interface CheckPack {
  text: string;
}

/** Start options, to be checked and shown before a table is made. */
export interface CheckSetup {
  options?: Record<string, unknown>;
}

/** A pack that can be played with, and what follows from it, in your language. */
export interface CheckedPack {
  name: string;
  id: string;
  players: Array<number>;
  decks: Array<string>;
  lines: Array<string>;
}

/** Options that can be played: all of them written out, and the start as a spectator sees it. */
export interface CheckedSetup {
  options: Record<string, unknown>;
  view: KatarengaView | KiwaraView | KitaraView;
  svg: string;
  extras: Record<string, unknown>;
  map: KitaraMap | null;
}

/** Act on the seat of somebody who went away: as the table was set up, win or let a computer play on. */
export interface Claim {
  type: "claim";
  id: string;
  absent: number;
}

/** The clocks at the moment `at`; the running one goes on from there. */
export interface Clock {
  at: number;
  left: Array<number | null>;
  increment: Array<number>;
  running: number | null;
}

/** A player's clock. */
export interface ClockRules {
  milliseconds: number;
  increment?: number;
}

/** How far the rules are compiled, game by game, and the computer players. A table's socket sends it until its game is ready, and where computers play until they are. */
export interface Compiling {
  type: "compiling";
  games: Record<string, GameReady>;
  players: GameReady;
}

/** A new table. Its number of seats is that of `seats`; it starts by itself when no seat is open. */
export interface CreateTable {
  game: string;
  seats: Array<SeatPlan>;
  options?: Record<string, unknown>;
  clock?: ClockRules | null;
  public?: boolean;
  lot?: boolean;
  touch_move?: boolean;
  series?: boolean;
  swap?: boolean | null;
  takeback?: boolean;
  hints?: boolean;
  abandoned?: "claim" | "computer";
  grace?: number;
  stand_in?: number;
  name?: string | null;
  record?: string | null;
  at?: number | null;
  then?: Array<string>;
}

/** The table was made. */
export interface Created {
  key: "created";
  game: string;
  number: number;
  at: number;
}

/** A table was made. */
export interface CreatedTable {
  id: string;
  table: Table;
}

/** The command was carried out and stored. */
export interface Done {
  type: "done";
  id: string;
  number: number;
}

/** Chance decided; `move` is `=?` for what you may not see. */
export interface Drawn {
  key: "drawn";
  move: string;
  told: Array<Told>;
  number: number;
  at: number;
}

/** The game is over. */
export interface Ended {
  key: "ended";
  winners: Array<number>;
  scores: Array<number>;
  reason: string;
  seed: string;
  number: number;
  at: number;
}

/** How many cards must be fed, and how many would be now. */
export interface Forecast {
  cards: number;
  fed: number;
}

/** A game, and what a table of it can be. */
export interface GameInfo {
  name: string;
  title: string;
  author: string;
  rules: number;
  players: Array<number>;
  sides: Array<string>;
  options: Array<OptionInfo>;
  draws: boolean;
  revenge: boolean;
  touch_move: boolean;
  levels: Array<LevelInfo>;
  ready: GameReady;
}

/** How far a game's rules, or the computer players, are compiled. */
export interface GameReady {
  done: number;
  total: number;
  ready: boolean;
}

/** The finished games of one game on this server. */
export interface GameStatistics {
  game: string;
  games: number;
  seats: Array<SeatFigures>;
  players: Array<PlayerFigures>;
  reasons: Record<string, number>;
  moves: Array<number>;
  minutes: Array<number>;
  days: Array<number>;
}

/** Whether all is well. */
export interface Health {
  status: "ok" | "starting";
  version: string;
  database: string;
  tables: number;
  sockets: number;
}

/** Ask what a computer of this level would do. */
export interface Hint {
  type: "hint";
  decision: number;
  level?: number;
  seat?: number | null;
  id?: string;
}

/** What a computer thinks. */
export interface Hinted {
  type: "hinted";
  id: string;
  moves: Array<string>;
  turn: number;
  chances: Array<number>;
  points: Array<number>;
  depth: number;
  nodes: number;
  solved: boolean;
}

/** Take a seat: with the key of its link, or without one at a public table. */
export interface Join {
  type: "join";
  id: string;
  seat?: number | null;
  key?: string | null;
  name?: string | null;
}

/** A player took a seat. */
export interface Joined {
  key: "joined";
  seat: number;
  player: Player;
  number: number;
  at: number;
}

/** Katarenga; nothing is hidden. */
export interface KatarengaView {
  game: "katarenga";
  seat: number | null;
  to_move: number | null;
  decision: "baseline" | "move" | "place" | null;
  variant: "congress" | "isolation" | "katarenga" | "quebec";
  board: string;
  position: string;
  pawns: Record<string, Array<string>>;
  camps: Record<string, "black" | "white" | null>;
  in_hand: Record<string, number>;
  quiet_moves: number;
  occurrences: number;
  last: Array<string> | null;
  outcome: BoardOutcome | null;
}

/** A map of a pack, to draw the board with. */
export interface KitaraMap {
  pack: string;
  note: string;
  size: Array<number>;
  spaces: Array<KitaraMapSpace>;
}

/** A territory of a map. */
export interface KitaraMapSpace {
  id: string;
  kind: "lake" | "ruin" | "savanna";
  start: boolean;
  borders: Array<string>;
  at: Array<number>;
  shape: string;
}

/** Kitara; the values of the others' hero tokens are hidden. The map is at /api/packs/PACK_ID/maps/PLAYERS. */
export interface KitaraView {
  game: "kitara";
  seat: number | null;
  to_move: number | null;
  decision: "card" | "discard" | "draft" | "move" | "pawns" | "recruit" | "remove" | "retreat" | "start" | "token" | null;
  pack: string;
  pack_id: string;
  players: number;
  deck: "blue" | "red";
  turns: "6/8" | "7/9";
  round: number;
  last_round: number | null;
  turn: number;
  row: Array<string>;
  deck_left: number;
  discarded: Array<string>;
  cards: Record<string, string>;
  spaces: Record<string, Record<string, number>>;
  kingdoms: Array<Array<string>>;
  supply: Array<Record<string, number>>;
  points: Array<number>;
  tokens: Array<TokenCount>;
  own_tokens: OwnTokens | null;
  all_tokens: Array<Array<number>> | null;
  bag: number;
  moves_left: number | null;
  to_recruit: Record<string, number> | null;
  choices: number | null;
  crossing: Array<string> | null;
  retreating: number | null;
  fleeing: Record<string, number> | null;
  capacity: number | null;
  to_remove: Record<string, number> | null;
  forecast: Array<Forecast>;
  outcome: BoardOutcome | null;
}

/** Kiwara; only the order of the pile is unknown, to all. */
export interface KiwaraView {
  game: "kiwara";
  seat: number | null;
  to_move: number | null;
  decision: "after" | "draw" | "hyena" | "keep" | "place" | "swap" | "totem" | "totem-start" | null;
  board: string;
  reinforcement: "okapi" | "pile";
  rhinoceros: "edge" | "neighbour";
  hyena: "move" | "place";
  totem: number | null;
  animals: Record<string, Animal>;
  hands: Array<Record<string, number>>;
  resting: Record<string, number>;
  cards: Array<Array<string>>;
  used: Array<string>;
  drawn: Array<string>;
  okapi_open: boolean;
  pile: number;
  reinforced: number | null;
  boa: string | null;
  porcupine: string | null;
  warthog: boolean;
  crocodile: string | null;
  territories: Record<string, Territory>;
  scores: Array<number>;
  position: string | null;
  outcome: BoardOutcome | null;
}

/** Give a seat back before the game starts. */
export interface Leave {
  type: "leave";
  id: string;
  seat: number;
}

/** A player gave a seat back before the start. */
export interface Left {
  key: "left";
  seat: number;
  number: number;
  at: number;
}

/** A first game: make a table like this, and say what matters when it comes up. */
export interface Lesson {
  game: string;
  seat: number;
  level: number;
  options: Record<string, unknown>;
  welcome: string;
  farewell: string;
  hints: Array<LessonHint>;
}

/** A sentence of the coach, and what makes it matter (`core/guide.py` says what `when` may name). */
export interface LessonHint {
  name: string;
  when: Record<string, string | number>;
  words: string;
}

/** A computer player. */
export interface LevelInfo {
  level: number;
  name: string;
  rating: number | null;
}

/** A seat in the list of tables. */
export interface ListedSeat {
  side: string;
  player: Player | null;
  yours: boolean;
}

/** A table in the list. */
export interface ListedTable {
  id: string;
  game: string;
  status: "open" | "over" | "running";
  options: Record<string, unknown>;
  seats: Array<ListedSeat>;
  clock: ClockRules | null;
  made: number;
  created: number;
  changed: number;
  your_move: boolean;
  winners: Array<number> | null;
  reason: string | null;
}

/** You, as your cookie or token says. */
export interface Me {
  name: string | null;
  id: string;
  bot: boolean;
}

/** The view after so many moves, and the last of them. */
export interface Moment {
  made: number;
  move: string | null;
  view: KatarengaView | KiwaraView | KitaraView;
}

/** One or more decisions of one seat, in the game's notation, in answer to the decision named. */
export interface Move {
  type: "move";
  id: string;
  decision: number;
  moves: Array<string>;
  seat?: number | null;
}

/** A seat decided; `told` is what it did, for the log and for the animation. */
export interface Moved {
  key: "moved";
  seat: number;
  move: string;
  told: Array<Told>;
  number: number;
  at: number;
}

/** The name under which you play. */
export interface NameMe {
  name: string;
}

/** What happened since, in order, and the table as it is now. `fresh`: not all since then is told, begin anew. `views` has, beside each event, the view after it if it changed the board, so that each step can be shown; it is empty where one step or none was made, and where `fresh`: then `table.view` is all. */
export interface News {
  type: "news";
  events: Array<Created | Joined | Left | Started | Moved | Drawn | Touched | AskedFor | Answered | TakenBack | Out | Outage | Ended | NextGame>;
  table: Table;
  fresh: boolean;
  views: Array<KatarengaView | KiwaraView | KitaraView | null>;
}

/** The players go on at another table. */
export interface NextGame {
  key: "next-game";
  table: string;
  number: number;
  at: number;
}

/** A start option; the word `option-NAME` of the game explains it. */
export interface OptionInfo {
  name: string;
  default: unknown;
  values: Array<unknown> | null;
}

/** A player gave up, ran out of time or went away; of more than two, a computer plays the seat on. */
export interface Out {
  key: "out";
  seat: number;
  reason: "abandoned" | "resignation" | "time-out";
  player: Player | null;
  number: number;
  at: number;
}

/** No server was alive for so long; the clocks do not count it. */
export interface Outage {
  key: "outage";
  milliseconds: number;
  number: number;
  at: number;
}

/** The values of the viewer's hero tokens. */
export interface OwnTokens {
  kept: Array<number>;
  drawn: Array<number>;
}

/** Answer at once with `pong` and the same time. */
export interface Ping {
  type: "ping";
  at: number;
}

/** Who sits in a seat. */
export interface Player {
  kind: "bot" | "computer" | "person";
  name: string;
  level: number | null;
  rating: number | null;
}

/** The same for people, bots and each level of the computer; `fair` is what chance would give them. */
export interface PlayerFigures {
  kind: "bot" | "computer" | "person";
  level: number | null;
  games: number;
  won: number;
  fair: number;
}

/** The answer to a `ping`, with its time: how the server knows how long messages take. */
export interface Pong {
  type: "pong";
  at: number;
}

/** Who is connected, and how many watch. */
export interface Presence {
  type: "presence";
  here: Array<boolean>;
  watching: number;
}

/** What a legal move would do. */
export interface Preview {
  told: Array<Told>;
  scores: Array<number>;
  next: Array<string>;
  takers: Array<string>;
  leaders: Record<string, number | null>;
  unfed: number | null;
}

/** What was asked was refused and changed nothing. */
export interface Refused {
  type: "refused";
  code: string;
  told: Told;
  words: string;
  id: string | null;
}

/** A part of a drawn savanna. */
export interface Region {
  spaces: Array<string>;
  fits: boolean;
}

/** A finished game: the table, and every move that stands. */
export interface Replay {
  table: Table;
  steps: Array<ReplayStep>;
}

/** A move of a finished game; `move` is `=?` for what the chosen seat could not see. */
export interface ReplayStep {
  seat: number | null;
  move: string;
  told: Array<Told>;
  turn: boolean;
  took: number | null;
}

/** Views of a finished game, the first after `first` moves. */
export interface ReplayViews {
  first: number;
  views: Array<KatarengaView | KiwaraView | KitaraView>;
}

/** Give up. */
export interface Resign {
  type: "resign";
  id: string;
  seat?: number | null;
}

/** How the game ended; `scores` are those of the board. */
export interface Result {
  winners: Array<number>;
  scores: Array<number>;
  reason: string;
  lines: Array<ScoreLine>;
}

/** An example that can be played. */
export interface RulesExample {
  title: string;
  task: string;
}

/** A game's rules in one language. */
export interface RulesPage {
  game: string;
  language: "de" | "en" | "fr" | "nl";
  title: string;
  sections: Array<RulesSection>;
  examples: Record<string, RulesExample>;
}

/** A piece of a section: text, an example by its name, a ruling of ours, or what is odd in print. */
export interface RulesPart {
  kind: "example" | "ours" | "print" | "text";
  name: string;
  html: string;
}

/** A chapter; its name is the same in all languages. */
export interface RulesSection {
  name: string;
  title: string;
  parts: Array<RulesPart>;
}

/** Where points came from: the word `score-KEY` of the game. */
export interface ScoreLine {
  seat: number;
  told: Told;
  points: number;
}

/** A seat of the table. */
export interface Seat {
  side: string;
  player: Player | null;
  yours: boolean;
  here: boolean;
  out: "abandoned" | "resignation" | "time-out" | null;
  claim: "computer" | "win" | null;
}

/** Finished games of a seat at tables of so many players, and its share of the victories; a draw is shared. */
export interface SeatFigures {
  players: number;
  seat: number;
  games: number;
  won: number;
}

/** Who is to sit in a seat: `you` (several times: one screen), anybody who joins, or a computer. */
export interface SeatPlan {
  kind: "computer" | "open" | "you";
  name?: string | null;
  level?: number | null;
  clock?: ClockRules | null;
}

/** The match of which this game is one; players are numbered by their seats in its first game. */
export interface SeriesScore {
  game: number;
  score: Array<number>;
  players: Array<number>;
  winner: number | null;
}

/** How a table was set up, as `CreateTable` says. */
export interface Settings {
  public: boolean;
  lot: boolean;
  touch_move: boolean;
  series: boolean;
  swap: boolean;
  takeback: boolean;
  hints: boolean;
  abandoned: "claim" | "computer";
  grace: number;
  stand_in: number;
}

/** An unfinished board as the player draws it. Kiwara: rivers on edges like `a1-b1`. Katarenga: a tile code. */
export interface Sketch {
  rivers?: Array<string> | null;
  board?: string | null;
}

/** What an unfinished board is so far. */
export interface Sketched {
  complete: boolean;
  board: string | null;
  code: string | null;
  rating: BoardRating | null;
  regions: Array<Region>;
  loose: Array<string>;
  told: Told | null;
}

/** The game began; `order` says which planned seat became which (the lot). */
export interface Started {
  key: "started";
  order: Array<number>;
  players: Array<Player>;
  seed_hash: string;
  made: number;
  number: number;
  at: number;
}

/** What was played on this server. */
export interface Statistics {
  games: Array<GameStatistics>;
  moves_step: number;
  most_moves: number;
  minutes_step: number;
  most_minutes: number;
}

/** A table as one seat, or a spectator, sees it now. */
export interface Table {
  id: string;
  game: string;
  status: "open" | "over" | "running";
  number: number;
  options: Record<string, unknown>;
  seats: Array<Seat>;
  you: Array<number>;
  seat: number | null;
  decision: number | null;
  to_move: number | null;
  made: number;
  view: KatarengaView | KiwaraView | KitaraView | null;
  legal: Array<string>;
  touched: string | null;
  say: Told;
  may: Array<string>;
  clock: Clock | null;
  asked: Array<Asked>;
  result: Result | null;
  settings: Settings;
  seed_hash: string | null;
  seed: string | null;
  series: SeriesScore | null;
  previous: string | null;
  next: string | null;
  keys: Record<string, string>;
}

/** Your tables, the public ones that wait for players or can be watched, and the last finished public games. */
export interface TableList {
  yours: Array<ListedTable>;
  open: Array<ListedTable>;
  running: Array<ListedTable>;
  finished: Array<ListedTable>;
}

/** Moves were taken back; `made` are left. */
export interface TakenBack {
  key: "taken-back";
  seat: number;
  made: number;
  number: number;
  at: number;
}

/** Who leads a territory, and what is at stake there. */
export interface Territory {
  spaces: number;
  tokens: Array<number>;
  points: number;
  leader: number | null;
}

/** How many hero tokens a seat has. */
export interface TokenCount {
  kept: number;
  drawn: number;
}

/** A sentence: its key and what fills its gaps. */
export interface Told {
  key: string;
  arguments: Record<string, string | number | boolean | Array<string | number> | null>;
}

/** Touch a pawn at a table with touch-move. */
export interface Touch {
  type: "touch";
  id: string;
  decision: number;
  place: string;
  seat?: number | null;
}

/** A pawn was touched and must move. */
export interface Touched {
  key: "touched";
  seat: number;
  place: string;
  number: number;
  at: number;
}

/** Where unsent decisions lead. `legal` is empty once the turn is over or chance has to decide (`chance`). */
export interface Tried {
  type: "tried";
  id: string;
  decision: number;
  moves: Array<string>;
  view: KatarengaView | KiwaraView | KitaraView;
  legal: Array<string>;
  told: Array<Array<Told>>;
  turn_over: boolean;
  chance: boolean;
  say: Told;
  previews: Record<string, Preview> | null;
}

/** What if? Plays unsent decisions from the decision named, and stores nothing. */
export interface Try {
  type: "try";
  decision: number;
  moves?: Array<string>;
  previews?: boolean;
  seat?: number | null;
  id?: string;
}

/** The record has a page of its own: /replay/ID. */
export interface Uploaded {
  id: string;
}

/** Where other moves lead; `moves` has what chance added. */
export interface Varied {
  at: number;
  moves: Array<string>;
  steps: Array<ReplayStep>;
  view: KatarengaView | KiwaraView | KitaraView;
  legal: Array<string>;
  previews: Record<string, Preview>;
}

/** Other moves from any point of a finished game. Chance that follows is drawn anew and told among the moves. */
export interface Vary {
  at: number;
  moves?: Array<string>;
  whose?: string;
}

export type FromServer = News | Done | Refused | Tried | Hinted | Presence | Ping | Compiling;

export type FromClient = Join | Leave | Move | Touch | Resign | Ask | Answer | Claim | Try | Hint | Pong;

export type Command = Join | Leave | Move | Touch | Resign | Ask | Answer | Claim;

export type TableEvent = Created | Joined | Left | Started | Moved | Drawn | Touched | AskedFor | Answered | TakenBack | Out | Outage | Ended | NextGame;

export type View = KatarengaView | KiwaraView | KitaraView;

export type Code = "bad-key" | "bad-request" | "bad-token" | "conflict" | "duplicate" | "illegal" | "internal" | "invalid-setup" | "media-type" | "method" | "not-open" | "not-possible" | "not-ready" | "not-running" | "not-signed-in" | "not-your-seat" | "not-your-turn" | "origin" | "overloaded" | "revealed" | "stale" | "too-large" | "too-often" | "unknown-game" | "unknown-page" | "unknown-table" | "unreadable";
