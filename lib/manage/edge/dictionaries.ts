import { DomainError } from "../../errors.ts";
import type { Dictionary } from "./dictionary.ts";
import { fastlyDictionary } from "./fastly.ts";
import { haproxyDictionary } from "./haproxy.ts";
import { varnishDictionary } from "./varnish.ts";

interface Settings {
  /** `SLUICE_EDGE`: addresses, separated by spaces. */
  readonly edge?: string | undefined;
  readonly fastlyToken?: string | undefined;
}

const mostThatFit = 10_000;
const forms =
  "varnish://host:6082?secret=…&table=…&vcl=…, haproxy:///run/haproxy/admin.sock?map=… or fastly://<service>/<dictionary>";

/** Dictionaries of the edges that the environment names. */
export function readDictionaries({ edge, fastlyToken }: Settings): Dictionary[] {
  return (edge ?? "")
    .split(/\s+/)
    .filter(Boolean)
    .map((text) => readOne(text, fastlyToken));
}

function readOne(text: string, fastlyToken: string | undefined): Dictionary {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const capacity = readCapacity(url?.searchParams.get("capacity"));
  const size = capacity === undefined ? {} : { capacity };
  if (url?.protocol === "varnish:") {
    const of = (name: string) => required(url, name);
    return varnishDictionary({
      ...{ host: hostOf(url), port: Number(url.port || 6082), ...size },
      ...{ secretFile: of("secret"), tableFile: of("table"), vclFile: of("vcl") },
    });
  }
  if (url?.protocol === "haproxy:")
    return haproxyDictionary({
      socket: url.host === "" ? url.pathname : url.host,
      map: required(url, "map"),
      ...size,
    });
  if (url?.protocol === "fastly:") return readFastly(url, fastlyToken, size);
  throw wrong(`write ${forms}`);
}

function readFastly(url: URL, token: string | undefined, size: { capacity?: number }): Dictionary {
  const [service, dictionary] = [url.host, url.pathname.slice(1)];
  if (!service || !dictionary) throw wrong("write fastly://<service>/<dictionary>");
  if (token === undefined)
    throw new DomainError(
      "not-configured",
      "FASTLY_API_TOKEN is not set. Sluice needs it to change the dictionary at Fastly.",
    );
  const api = url.searchParams.get("api");
  return fastlyDictionary({ service, dictionary, token, ...(api && { api }), ...size });
}

/** Host without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, "") || "127.0.0.1";

function required({ protocol, searchParams }: URL, name: string): string {
  const value = searchParams.get(name);
  if (value) return value;
  throw wrong(`${protocol}// has no ${name}=…: write ${forms}`);
}

function readCapacity(text: string | null | undefined): number | undefined {
  if (text == null) return undefined;
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 1 && number <= mostThatFit) return number;
  throw wrong(`capacity is a whole number from 1 to ${mostThatFit}`);
}

function wrong(how: string): DomainError {
  return new DomainError("not-configured", `SLUICE_EDGE: ${how}.`, { SLUICE_EDGE: how });
}
