// Cloudflare's own bridge over containers that a service of ours stands in for.

import { Sandbox as Real } from "@cloudflare/sandbox";
import { bridge } from "@cloudflare/sandbox/bridge";

export { WarmPool } from "@cloudflare/sandbox/bridge";

/** The container of a Durable Object, as the runtime gives it; what it runs is the service's. */
class Container {
  running = false;
  constructor(place) {
    this.place = place;
  }
  start() {
    this.running = true;
    this.begun = fetch(this.place, { method: "PUT" });
    this.ended = this.begun.then(async () => {
      await (await fetch(`${this.place}/ended`)).arrayBuffer();
      this.running = false;
    });
    this.ended.catch(() => (this.running = false));
  }
  monitor() {
    return this.ended ?? Promise.resolve();
  }
  async destroy() {
    this.running = false;
    await fetch(this.place, { method: "DELETE" });
  }
  signal() {
    return this.destroy();
  }
  getTcpPort() {
    return {
      fetch: async (input, init) => {
        await this.begun;
        const { pathname, search } = new URL(input.url ?? input);
        return fetch(`${this.place}${pathname}${search}`, input instanceof Request ? input : init);
      },
    };
  }
  async setInactivityTimeout() {}
  async interceptOutboundHttp() {}
  async interceptOutboundHttps() {}
  async interceptAllOutboundHttp() {}
}

export class Sandbox extends Real {
  constructor(ctx, env) {
    Object.defineProperty(ctx, "container", { value: new Container(`${env.CONTAINERS}/${ctx.id}`) });
    super(ctx, env);
  }
}

export default bridge({});
