/** The target of a request of the service. */
export const stores = ['database', 'cache', 'engine', 'provider'] as const;
export type Store = (typeof stores)[number];

/**
 * How a request fails:
 * - `kill`: the connection is cut before anything is passed on
 * - `lose`: it is carried out, and the connection is cut before the answer
 * - `cut`: it is carried out, and the connection is cut in the middle of the answer
 * - `error`, `busy`: it is answered 500 or 503, and not carried out
 * - `throttle`: it is refused as too many, in the form of each store
 * - `garbage`: it is answered 200 with a useless body
 * - `slow`: it is carried out {@link slowMs} late
 * - `mute`: it is carried out and never answered
 * - `hang`: it is neither carried out nor answered
 */
export const faultKinds = [
  'kill',
  'lose',
  'cut',
  'error',
  'busy',
  'throttle',
  'garbage',
  'slow',
  'mute',
  'hang',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** How late a slow answer comes, in milliseconds. */
export const slowMs = 2_000;

/** A request as a proxy sees it. */
export interface WireRequest {
  store: Store;
  /** Such as `TransactWriteItems`, `GET service:…` or `PUT /bucket/key`. */
  operation: string;
  /** The same for the same request sent again. */
  signature: string;
  /** ID of the run that it belongs to; undefined if it belongs to no run. */
  run: string | undefined;
}

/** Decides what happens to a request; undefined if it is forwarded. */
export type Decide = (request: WireRequest) => FaultKind | undefined;
