import { DomainError } from "../../errors.ts";
import { CustomerDirectory, directoryScripts } from "../../observe/customers/directory.ts";
import { type Mirror, startMirror } from "../../redis/mirror.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import type { Console } from "../console.ts";

interface DirectoryFollower {
  readonly directory: CustomerDirectory;
  readonly mirror: Mirror;
  isLoaded: boolean;
  readonly loading: Promise<void>;
}

const patienceMs = 10_000;

/** The console's own copy of all customers: it begins to load with the first request. */
export async function directoryOf({ redisUrl }: Pick<Console, "redisUrl">): Promise<DirectoryFollower> {
  const follower = oncePerProcess("console customers", () => follow(redisUrl));
  if (!follower.isLoaded) await Promise.race([follower.loading, tooLong()]);
  return follower;
}

function follow(redisUrl: string): DirectoryFollower {
  const directory = new CustomerDirectory();
  let isDone = nothing;
  const loading = new Promise<void>((resolve) => {
    isDone = resolve;
  });
  const onCurrent = () => {
    follower.isLoaded = true;
    isDone();
  };
  const events = { onCurrent, onLost: nothing, onApplied: nothing, onOther: nothing };
  const follower: DirectoryFollower = {
    directory,
    mirror: startMirror(redisUrl, directory, events, directoryScripts),
    isLoaded: false,
    loading,
  };
  return follower;
}

function tooLong(): Promise<never> {
  return new Promise((_, reject) => {
    const late = new DomainError("redis-unavailable", "The customers are still being read. Try again soon.");
    setTimeout(reject, patienceMs, late).unref();
  });
}

function nothing(): void {}
