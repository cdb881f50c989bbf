import type { CountersConnection } from "./connect.ts";

/** Turns without an answer after which a connection is given up. */
const patience = 3;

/**
 * Finds a connection whose server fell silent: frozen, or gone without a word. It counts turns instead of time, because
 * after a long pause of this very process a timer would fire before the answer that has already arrived is read.
 */
export class Pulse {
  readonly #connection: CountersConnection;
  readonly #ask: () => Promise<void>;
  #isAsking = false;
  #silentTurns = 0;

  constructor(connection: CountersConnection, ask: () => Promise<void>) {
    this.#connection = connection;
    this.#ask = ask;
  }

  /** One turn: asks, or counts that neither the last question nor the handshake was answered yet. */
  beat(): void {
    const { status } = this.#connection;
    if (status === "ready" && !this.#isAsking) void this.#inquire();
    else if (status === "ready" || status === "connect" || status === "connecting") this.#wait();
    else this.#silentTurns = 0;
  }

  async #inquire(): Promise<void> {
    this.#silentTurns = 0;
    this.#isAsking = true;
    await this.#ask();
    this.#isAsking = false;
  }

  #wait(): void {
    if (++this.#silentTurns < patience) return;
    this.#silentTurns = 0;
    this.#connection.disconnect(true);
  }
}
