import { canInstall, installPackages } from "./debian.mjs";
import { findProgram } from "./find-program.mjs";
import { alreadyThere, step } from "./steps.mjs";
import { Stop } from "./stop.mjs";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const howToInstall = `The end-to-end tests need Chromium. Install it and try again:
  macOS           brew install --cask chromium
  Debian          sudo apt-get install chromium
  Ubuntu          sudo snap install chromium
  Fedora          sudo dnf install chromium
or set CHROMIUM to the path of one, or leave them out: npm test -- lint types lua rooms unit`;

/** Path of an installed Chromium. Undefined if there is none. */
export function findChromium() {
  return process.env.CHROMIUM ?? findProgram(...names);
}

/** Path of a Chromium, which is installed first if necessary and possible. */
export async function ensureChromium() {
  let program = findChromium();
  await step("chromium", async (say) => {
    if (program) return alreadyThere(program);
    if (!canInstall()) throw new Stop(howToInstall);
    say("apt-get install chromium (about 100 MB)");
    await installPackages("chromium", "fonts-dejavu-core");
    program = findChromium();
    return "installed by apt";
  });
  if (!program) throw new Stop(howToInstall);
  return program;
}
