import { type Block, format, formatIp, masked } from "../ip/block.ts";
import type { Ip } from "../ip/parse.ts";
import type { CustomerId } from "../redis/keys.ts";
import { basicUser } from "./basic-user.ts";
import { broadFingerprint, standardFingerprint } from "./fingerprint.ts";
import { headerOf, type RuledRequest, rawPath, readPath, readSegments } from "./request.ts";

/** One request as rules see it. What is dear to find out is found out once, and only if a rule asks. */
export class Subject {
  readonly request: RuledRequest;
  readonly address: Block;
  readonly customer: CustomerId | undefined;
  readonly method: string;
  readonly rawPath: string;
  readonly path: string;
  readonly otherPath: string;
  #ip: Ip | undefined;
  #network: string | undefined;
  #networkLength = 0;
  #basicUser: string | false | undefined | null = null;

  constructor(request: RuledRequest, address: Block, customer: CustomerId | undefined) {
    this.request = request;
    this.address = address;
    this.customer = customer;
    this.method = request.method ?? "GET";
    this.rawPath = rawPath(request);
    this.path = readPath(this.rawPath);
    this.otherPath = readSegments(this.rawPath);
  }

  get ip(): Ip {
    this.#ip ??= formatIp(this.address);
    return this.#ip;
  }

  /** The address, or for IPv6 the network it is counted with. */
  network(ipv6Prefix: number): string {
    if (this.address.family === 4) return this.ip;
    if (this.#network === undefined || this.#networkLength !== ipv6Prefix) {
      this.#network = format(masked(this.address, ipv6Prefix));
      this.#networkLength = ipv6Prefix;
    }
    return this.#network;
  }

  /** Who the app says it is, else who the header says; false for a header that names nobody. */
  get user(): string | false | undefined {
    if (typeof this.request.user === "string") return this.request.user;
    if (this.#basicUser === null) this.#basicUser = basicUser(headerOf(this.request, "authorization"));
    return this.#basicUser;
  }

  get standard(): string {
    return standardFingerprint(this.request.host ?? "", this.rawPath, this.method, this.ip, this.#userAgent);
  }

  get broad(): string {
    return broadFingerprint(this.ip, this.#userAgent);
  }

  get #userAgent(): string {
    return headerOf(this.request, "user-agent") ?? "";
  }
}
