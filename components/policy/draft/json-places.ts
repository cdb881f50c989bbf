interface TextPlace {
  readonly offset: number;
  readonly line: number;
}

const token = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;

interface Level {
  readonly isList: boolean;
  readonly path: string;
  index: number;
  key: string | undefined;
}

/** Place of each field of a JSON text, by the path that problems name. Text that is not JSON is read up to its error. */
export function placesIn(text: string): ReadonlyMap<string, TextPlace> {
  const places = new Map<string, TextPlace>();
  const levels: Level[] = [];
  let [line, lineFrom] = [1, 0];
  for (const { 0: word, index: offset } of text.matchAll(token)) {
    for (; lineFrom < offset; lineFrom++) if (text.charCodeAt(lineFrom) === 10) line++;
    const level = levels.at(-1);
    if (word === "}" || word === "]") levels.pop();
    else if (word === ",") step(level);
    else if (word !== ":") {
      if (level && !level.isList && level.key === undefined) level.key = keyOf(word);
      else {
        const path = pathIn(level);
        places.set(path, { offset, line });
        if (word === "{" || word === "[")
          levels.push({ isList: word === "[", path, index: 0, key: undefined });
      }
    }
  }
  return places;
}

function step(level: Level | undefined): void {
  if (!level) return;
  level.index++;
  level.key = undefined;
}

function pathIn(level: Level | undefined): string {
  if (!level) return "";
  if (level.isList) return `${level.path}[${level.index}]`;
  return level.path === "" ? (level.key ?? "") : `${level.path}.${level.key}`;
}

function keyOf(word: string): string {
  try {
    return String(JSON.parse(word));
  } catch {
    return word;
  }
}
