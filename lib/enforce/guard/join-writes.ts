import { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { oncePerProcess } from "../../redis/once-per-process.ts";

/**
 * Next writes the head of a response apart from what follows. Each write is a system call, and wakes the client. From the head on,
 * writes are collected until the turn of the event loop ends, which for most responses makes them one. A stream goes on part by part
 * after that.
 */
export function joinWrites(): void {
  oncePerProcess("joined-writes", () => {
    const flushHeaders = ServerResponse.prototype.flushHeaders;
    ServerResponse.prototype.flushHeaders = function () {
      const { socket } = this;
      if (socket && !this.headersSent) {
        socket.cork();
        setImmediate(uncork, socket);
      }
      flushHeaders.call(this);
    };
    return true;
  });
}

const uncork = (socket: Socket) => socket.uncork();
