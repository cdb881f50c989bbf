import type { Environment } from "../../env.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { firstAdminEmail } from "./first-admin.ts";
import { readUser } from "./user.ts";

const everyMs = 10_000;

/** The first admin, when this process last saw users. */
export interface SeenAdmin {
  /** Whether SLUICE_ADMIN_PASSWORD let the admin in. False once the password is another, or the admin is removed. */
  readonly hasPasswordOfEnvironment: boolean;
  /** Whether the admin still has the first password. */
  readonly hasFirstPassword: boolean;
}

/**
 * Remembers outside of Redis whether SLUICE_ADMIN_PASSWORD still counts. When Redis loses all users the first admin is made
 * again, and nothing in Redis says that this password was changed.
 */
export class FirstAdminWatch {
  readonly #redis: Connection;
  readonly #adminEmail: string | undefined;
  #seen: SeenAdmin | undefined;
  #hadTurn = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(redis: Connection, { adminEmail }: Pick<Environment, "adminEmail">) {
    this.#redis = redis;
    this.#adminEmail = adminEmail;
  }

  /** Undefined as long as there was no user. */
  get seen(): SeenAdmin | undefined {
    return this.#seen;
  }

  /** True once: the log names a first password at the start of the process, not with each reconnection. */
  takeTurn(): boolean {
    const isFirst = !this.#hadTurn;
    this.#hadTurn = true;
    return isFirst;
  }

  start(): this {
    this.#timer ??= setInterval(() => void this.look(), everyMs).unref();
    return this;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Never throws: without an answer, the earlier state is kept. */
  async look(): Promise<void> {
    this.#seen = (await this.#read().catch(() => undefined)) ?? this.#seen;
  }

  async #read(): Promise<SeenAdmin | undefined> {
    const email = firstAdminEmail({ adminEmail: this.#adminEmail });
    const users = await this.#redis.hgetall(keys.users());
    if (Object.keys(users).length === 0) return undefined;
    const first = readUser(users[email])?.firstPassword;
    return { hasPasswordOfEnvironment: first === "environment", hasFirstPassword: first !== undefined };
  }
}
