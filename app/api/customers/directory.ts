import { CustomerDirectory } from "../../../lib/customers/directory.ts";
import { directoryScripts } from "../../../lib/customers/reading.ts";
import { DomainError } from "../../../lib/errors.ts";
import { atHome } from "../../../lib/redis/home.ts";
import { Mirror } from "../../../lib/redis/mirror.ts";
import type { Console } from "../../_server/console.ts";

interface Follower {
  readonly directory: CustomerDirectory;
  readonly mirror: Mirror;
  isLoaded: boolean;
  readonly loading: Promise<void>;
}

const patienceMs = 10_000;

/** The console's own copy of all customers: it begins to load when somebody first asks. */
export async function directoryOf({ redisUrl }: Pick<Console, "redisUrl">): Promise<Follower> {
  const follower = atHome("console customers", () => follow(redisUrl));
  if (!follower.isLoaded) await Promise.race([follower.loading, tooLong()]);
  return follower;
}

function follow(redisUrl: string): Follower {
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
  const follower: Follower = {
    directory,
    mirror: new Mirror(redisUrl, directory, events, directoryScripts),
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
