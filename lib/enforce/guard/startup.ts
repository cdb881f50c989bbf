/**
 * Loads the app's own module. A setting that it refuses ends the process: Next would go on, and answer each request with
 * 500.
 */
export async function loadOrExit(load: () => Promise<unknown>): Promise<void> {
  try {
    await load();
  } catch (error) {
    if (!isRefusedSetting(error)) throw error;
    console.error(`sluice: ${error.message}`);
    process.exit(1);
  }
}

const settingCodes: readonly unknown[] = ["bad-input", "not-configured"];

/** By name: the app's bundle may hold another copy of the class. Redis being away is no reason to end. */
function isRefusedSetting(error: unknown): error is Error {
  return (
    error instanceof Error &&
    error.name === "DomainError" &&
    "code" in error &&
    settingCodes.includes(error.code)
  );
}
