// A session through a pipe in shared memory. The engine receives every line at once, even while it searches,
// and schedules the commands itself.

import { BaseSession } from "./base-session.js";
import { makePipe, openWriter } from "./pipe.js";

export class PipeSession extends BaseSession {
  connect() {
    const pipe = makePipe();
    const thread = this.startThread(pipe);
    const writer = openWriter(pipe, () => thread.post({ kind: "readPipe" }));
    const end = () => {
      writer.close();
      thread.end();
    };
    return { ...thread, write: writer.write, end };
  }

  sendMore() {
    for (; this.sent < this.unfinished.length; this.sent += 1) this.engine.write(this.unfinished[this.sent]);
  }
}
