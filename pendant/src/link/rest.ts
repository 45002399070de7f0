// SPDX-License-Identifier: BSD-3-Clause
// The REST side: JSON in, JSON out, and refusals as errors that say who or what stands in the way.
import { W } from '../text';
import { numberIn } from './own_requests';
import { fields, text } from './protocol';

export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly holder: string | null = null,
    /** All that the server answered. */
    readonly body: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

/** The control token that goes with what moves; null: this page does not control. */
let controlToken: string | null = null;

export function setControlToken(token: string | null): void {
  controlToken = token;
}

export function currentToken(): string | null {
  return controlToken;
}

/** Called when the server says that there is no session any more. */
let onSignedOut: () => void = () => undefined;
export function whenSignedOut(call: () => void): void {
  onSignedOut = call;
}

/** Told the number of everything that was taken to be carried out. */
let onAsked: (request: number) => void = () => undefined;
export function whenAsked(call: (request: number) => void): void {
  onAsked = call;
}

const kPatience_ms = 10_000;
/** Calls for which the robot has to read, simulate or write much. */
const kLong = /^\/api\/(programs\/(check|simulate)|recordings|streams|backup|restore|robots|setup|mesh)/;
const kLongPatience_ms = 300_000;

/** How long an answer is waited for. */
export function patienceFor_ms(path: string): number {
  return kLong.test(path) ? kLongPatience_ms : kPatience_ms;
}

async function refusalOf(answer: Response): Promise<Refusal> {
  const body = fields(await answer.json().catch(() => null));
  const words = text(body.error) || `${answer.status} ${answer.statusText}`.trim();
  return new Refusal(answer.status, words, text(body.holder) || null, body);
}

export interface Call {
  /** Goes out although the page is being closed. */
  keepalive?: boolean;
  signal?: AbortSignal;
  /** How long the answer is waited for, when not as long as for all calls of its kind. */
  patience_ms?: number;
  /** Told how much of the answer has come, 0 to 1, where its length is known. */
  onShare?: (share: number) => void;
}

/** Ends when the caller wants it to, and when nobody has answered for too long: a network may swallow a call. */
function endOf(path: string, { signal, patience_ms }: Call): AbortSignal {
  const end = AbortSignal.timeout(patience_ms ?? patienceFor_ms(path));
  if (!signal) return end;
  const either = new AbortController();
  for (const one of [signal, end]) {
    if (one.aborted) either.abort(one.reason);
    one.addEventListener('abort', () => either.abort(one.reason), { once: true });
  }
  return either.signal;
}

async function ask(method: string, path: string, body: unknown, call: Call): Promise<Response> {
  const headers: Record<string, string> = {};
  if (method !== 'GET') headers['Content-Type'] = 'application/json';
  if (method !== 'GET' && controlToken !== null) headers['X-Sinew-Control'] = controlToken;
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      headers,
      credentials: 'same-origin',
      body: method === 'GET' ? undefined : JSON.stringify(body ?? {}),
      keepalive: call.keepalive,
      signal: endOf(path, call),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Refusal(0, W.link.noAnswer);
  }
  if (answer.status === 401 && !path.startsWith('/api/login') && !path.startsWith('/api/first')) onSignedOut();
  if (!answer.ok) throw await refusalOf(answer);
  return answer;
}

/** The whole answer, telling of each part that comes. */
async function bytesOf(answer: Response, tell: (share: number) => void): Promise<Blob> {
  const total = Number(answer.headers.get('Content-Length'));
  const parts: BlobPart[] = [];
  let count = 0;
  for (const reader = answer.body!.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    parts.push(value);
    count += value.length;
    if (total > 0) tell(Math.min(1, count / total));
  }
}

async function asJson(answer: Response, { onShare }: Call = {}): Promise<unknown> {
  try {
    if (onShare && answer.body) return JSON.parse(await (await bytesOf(answer, onShare)).text());
    return answer.headers.get('Content-Type')?.includes('json') ? await answer.json() : null;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') throw new Refusal(0, W.link.noAnswer);
    throw error;
  }
}

/** The answer to something that is to be done; with its number when it is only taken by now. */
async function taken(answer: Response): Promise<unknown> {
  const json = await asJson(answer);
  const request = numberIn(json);
  if (request !== null) onAsked(request);
  return json;
}

export const rest = {
  get: async (path: string, call: Call = {}): Promise<unknown> => asJson(await ask('GET', path, undefined, call), call),
  text: async (path: string): Promise<string> => (await ask('GET', path, undefined, {})).text(),
  post: async (path: string, body?: unknown, call: Call = {}): Promise<unknown> => taken(await ask('POST', path, body, call)),
  put: async (path: string, body?: unknown): Promise<unknown> => taken(await ask('PUT', path, body, {})),
  del: async (path: string): Promise<unknown> => taken(await ask('DELETE', path, undefined, {})),
};

/** What went wrong, for people. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
