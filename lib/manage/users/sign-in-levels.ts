import type { Ip } from "../../ip/parse.ts";
import { signInClient, signInNetwork } from "./sign-in-client.ts";

/** One window in which failures are counted. */
export interface SignInLevel {
  readonly kind: SignInLevelKind;
  readonly client: string;
  readonly periodSeconds: number;
  /** Failures after which attempts are refused; undefined where further attempts are only slower. */
  readonly limit: number | undefined;
}

type SignInLevelKind =
  | "address"
  | "shared"
  | "network"
  | "account"
  | "everywhere"
  | "token-address"
  | "token-network";
type LevelTable = readonly (readonly [limit: number, periodSeconds: number])[];

/** The more failures, the longer the wait. */
const ofAddress: LevelTable = [
  [5, 60],
  [20, 900],
  [60, 14_400],
  [150, 86_400],
];
/** A /48 is 65,536 clients of ours, and may be a company or a free tunnel. */
const ofNetwork: LevelTable = times(4, ofAddress);
/**
 * Behind a proxy that the settings do not name, all staff share one address: failures of a stranger there must not cause the
 * refusal of any of them.
 */
const sharedPeriodSeconds = 60;
export const slowAfterShared = 50;
/** Counted with the address, so that failures from elsewhere cannot lock a colleague out. */
const ofAccount: LevelTable = [
  [10, 900],
  [20, 14_400],
  [30, 86_400],
];

/** Failures of one account, from any address, after which attempts for it take turns. */
export const slowdown = { after: 50, periodSeconds: 3_600, delayMs: 2_000 } as const;

/** The levels that limit an address, for any account. The level of an address that many people share refuses no attempt. */
export function levelsOfAddress(address: Ip | undefined, isShared: boolean): SignInLevel[] {
  const client = signInClient(address);
  if (isShared) return [{ kind: "shared", client, periodSeconds: sharedPeriodSeconds, limit: undefined }];
  const network = signInNetwork(address);
  return [
    ...levels("address", client, ofAddress),
    ...(network === undefined ? [] : levels("network", network, ofNetwork)),
  ];
}

/** The levels of refused API tokens: as many as of an address, and apart from sign-ins, which a wrong token must not lock. */
export function levelsOfRefusedTokens(address: Ip | undefined): SignInLevel[] {
  const network = signInNetwork(address);
  return [
    ...levels("token-address", signInClient(address), ofAddress),
    ...(network === undefined ? [] : levels("token-network", network, ofNetwork)),
  ];
}

/** All levels of an attempt. The last one slows down, and never refuses. */
export function levelsOfAttempt(address: Ip | undefined, account: string, isShared: boolean): SignInLevel[] {
  return [
    ...levelsOfAddress(address, isShared),
    ...(isShared ? [] : levels("account", `${signInClient(address)}|${account}`, ofAccount)),
    levelOfAccount(account),
  ];
}

/** Counts an account's failures from any address. */
export function levelOfAccount(account: string): SignInLevel {
  return { kind: "everywhere", client: account, periodSeconds: slowdown.periodSeconds, limit: undefined };
}

function levels(kind: SignInLevelKind, client: string, all: LevelTable): SignInLevel[] {
  return all.map(([limit, periodSeconds]) => ({ kind, client, periodSeconds, limit }));
}

function times(factor: number, all: LevelTable): LevelTable {
  return all.map(([limit, periodSeconds]) => [factor * limit, periodSeconds] as const);
}
