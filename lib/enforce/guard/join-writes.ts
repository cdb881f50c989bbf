import { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { oncePerProcess } from "../../redis/once-per-process.ts";

/**
 * Next writes a response in three parts: its head, its body and its end. Each is a system call, and wakes the client. From the head
 * on they are collected until the turn of the event loop ends, which for most responses makes them one write. A stream goes on
 * part by part after that.
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
