// Loaded into the console's server by `up`: if `up` is killed outright, the server must not live on and hold the port.
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref();
