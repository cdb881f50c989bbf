// Loaded into the console's server by `up`: ends the server if `up` is killed, so that the port is free.
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref();
