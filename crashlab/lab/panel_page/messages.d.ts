/* The messages between a board and its page, as crashlab/lab/page_messages.py lists them. */

export interface Lens { zoom: number; x: number; y: number; left: number; right: number; top: number; bottom: number }
export interface Target {
  at: number[]; words: string; drawing: number; over: number; lines?: number[][]; letter?: number[]; area?: number[][];
}
type Colours = Record<string, string>;
type Json = Record<string, unknown>;
interface Tables { shapes: Json[]; drawings: number[][]; pieces: string[] }
interface Seen { lens: Lens | null; before: Lens | null; colours?: Colours }

export interface ToPage {
  scene: Tables & Seen & {
    beat: Json; kept: number; near: number[]; targets: Target[]; at?: number; first?: number; still?: boolean;
    words?: string; look?: string; kind?: string;
  };
  say: { words: string; look?: string; kind?: string };
  below: { words: string };
  film: { film: number; afresh: boolean; head: Json };
  beats: Tables & { from: number; whole: boolean; beats: Json[]; events: [number, Json][] };
  look: Seen & {};
  show: Seen & { beat: number; event: number | null; glides: boolean; still: boolean };
  play: Seen & { beat: number; still: boolean };
  pace: { milliseconds: Record<string, number> };
  until: { last: number; stops: number[] };
  why: { event: number; events: [number, Json][] };
  stop: {};
  position: { of?: string; left?: string; words?: string };
}

export interface FromPage {
  ready: { ready: true; first?: number };
  want: { want: number; film: number };
  near: { near: 'farther' | 'nearer' | 'follow' };
  sight: { sight: { theme: string; pixels: number; touched: number } };
  call: { call: number | null };
  position: { position: true };
  at: { at: number; playing: boolean; run: number };
}
