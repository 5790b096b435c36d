/** A secondary of the test's own that transfers a zone whenever it is notified of it, signed with its key, and serves the serial. */
import { Rcode } from "../../../src/dns/message/header.ts";
import { Responder } from "../dns/responder.ts";
import { serialOf, transfer } from "../dns/transfer.ts";
import type { ClientKey } from "../dns/update-client.ts";
import type { TestService } from "./service.ts";

export class FollowingResponder extends Responder {
  readonly #service: TestService;
  #signing: ClientKey | undefined;

  constructor(service: TestService) {
    super();
    this.#service = service;
    this.onNotify = (zone) => {
      this.follow(zone).catch(() => {}); // the service may be stopped meanwhile
      return Rcode.NOERROR;
    };
  }

  /** Registers it with a key of its own and listens. */
  async register(name: string): Promise<this> {
    const key = await this.#service.tsigKey({ name: `${name}.key.example` });
    this.#signing = key;
    this.key = { name: key.name, key };
    await this.open();
    const place = { name, address: this.address, port: this.port, tsigKeyId: key.id };
    await this.#service.mutate("createSecondary", place, "secondary { id }");
    return this;
  }

  /** Transfers a zone, or the differences since a serial, and serves it; returns the rcode of a refusal. */
  async follow(zone: string, since?: number): Promise<string | undefined> {
    const lines = await transfer(this.#service.dnsPort, zone, { key: this.#signing, since });
    if (lines[0]?.startsWith("rcode")) return lines[0];
    this.serials.set(zone, serialOf(lines));
    return undefined;
  }
}
