// A Worker with a Durable Object for each sandbox: `POST /NAME` runs the script in the body.

import { DurableObject } from "cloudflare:workers";
import { DurableObjectStore, NotFoundError, Sandboxes } from "@offshoot/web";

const NAME = "main";

export class Box extends DurableObject {
  // Nobody else has this storage: no lease, whose timer would keep the object awake.
  #sandboxes = new Sandboxes(new DurableObjectStore(this.ctx.storage), { leaseMs: 0, limits: { timeMs: 5000 } });

  async #open() {
    try {
      return await this.#sandboxes.open(NAME);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      await this.#sandboxes.create(NAME);
      return this.#sandboxes.open(NAME);
    }
  }

  async fetch(request) {
    const sandbox = await this.#open();
    const { stdout, stderr, exitCode } = await sandbox.exec(await request.text());
    // The object may be evicted at any time: what was answered is stored.
    await this.#sandboxes.checkpoint(NAME);
    return Response.json({ stdout, stderr, exitCode });
  }
}

export default {
  async fetch(request, env) {
    const name = new URL(request.url).pathname.slice(1);
    if (request.method !== "POST" || name === "") return new Response("POST /NAME with a script\n", { status: 405 });
    return env.BOXES.get(env.BOXES.idFromName(name)).fetch(request);
  },
};
