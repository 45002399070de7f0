// SPDX-License-Identifier: BSD-3-Clause
// The live socket: opened again whenever it is lost, and telling how fresh what it says is.
import { signal } from '../store';
import { retryDelay_ms } from './backoff';
import { messageFrom, type ServerMessage } from './protocol';

export type LinkState = 'connecting' | 'open' | 'stale' | 'lost';

/** Silence that is worth saying so. */
export const kStale_ms = 700;
/** Silence after which the socket counts as dead: a network that swallows everything never says that it is gone. */
export const kDead_ms = 3000;
/** So long may a socket take to open. */
export const kOpening_ms = 5000;
/** The server's word for: the session is over. */
export const kSessionOver = 4401;

/** How a socket went: whether it had ever been open, and whether the server said that the session is over. */
export interface Loss {
  wasOpen: boolean;
  isSessionOver: boolean;
}

export class LiveLink {
  readonly state = signal<LinkState>('connecting');
  private socket: WebSocket | null = null;
  private attempt = 0;
  private heard_ms = 0;
  private wasOpen = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private watch: ReturnType<typeof setInterval> | undefined;
  private isWanted = false;

  /** `hear` gets every message; `lost` is called each time a socket is gone. */
  constructor(
    private readonly hear: (message: ServerMessage) => void,
    private readonly lost: (how: Loss) => void,
  ) {}

  /** When the last message came [ms of performance.now()]. */
  get lastHeard_ms(): number {
    return this.heard_ms;
  }

  start(): void {
    if (this.isWanted) return;
    this.isWanted = true;
    this.watch = setInterval(() => this.look(), 250);
    this.open();
  }

  /** Opens a new socket, as after a login. */
  restart(): void {
    this.stop();
    this.start();
  }

  stop(): void {
    this.isWanted = false;
    clearInterval(this.watch);
    clearTimeout(this.retry);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.state.value = 'lost';
  }

  /** False when it could not be said. */
  send(message: object): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  private open(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.state.value = 'connecting';
    const socket = new WebSocket(`${scheme}://${location.host}/api/live`, 'sinew.live.v1');
    this.socket = socket;
    this.wasOpen = false;
    this.heard_ms = performance.now();
    socket.onopen = () => {
      if (socket !== this.socket) return;
      this.attempt = 0;
      this.wasOpen = true;
      this.heard_ms = performance.now();
      this.state.value = 'open';
      this.send({ op: 'rate', hz: 30 });
    };
    socket.onmessage = (event) => {
      if (socket !== this.socket || typeof event.data !== 'string') return;
      const message = messageFrom(event.data);
      if (message === null) return;
      this.heard_ms = performance.now();
      this.state.value = 'open';
      this.hear(message);
    };
    socket.onclose = (event) => {
      if (socket === this.socket) this.again(event.code === kSessionOver);
    };
  }

  private again(isSessionOver = false): void {
    this.socket = null;
    this.state.value = 'lost';
    clearTimeout(this.retry);
    if (this.isWanted) this.retry = setTimeout(() => this.open(), retryDelay_ms(this.attempt++, Math.random()));
    this.lost({ wasOpen: this.wasOpen, isSessionOver });
  }

  /** Looks whether anything was heard; what has been silent for too long is left for a new one. */
  private look(): void {
    if (this.socket === null) return;
    const silent_ms = performance.now() - this.heard_ms;
    if (this.wasOpen && silent_ms > kStale_ms) this.state.value = 'stale';
    if (silent_ms < (this.wasOpen ? kDead_ms : kOpening_ms)) return;
    const dead = this.socket;
    this.again();
    dead.close();
  }
}
