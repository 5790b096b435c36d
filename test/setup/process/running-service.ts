/**
 * The service as a process on a database of the test's choice, and a client of it. There is nothing of Jest in it, for what runs without.
 */
import { freePort } from "../basics/free-port.ts";
import { adminKey, Client } from "../service/client.ts";
import { type ServiceProcess, zonesmith } from "./process.ts";

export class RunningService extends Client {
  readonly process: ServiceProcess;
  override readonly apiKey: string;

  private constructor(process: ServiceProcess, apiKey: string, dnsPort: number) {
    super();
    this.process = process;
    this.apiKey = apiKey;
    this.dnsPort = dnsPort;
  }

  /** Starts it with these settings and waits until it listens; `apiKey` is a key that its database has already. */
  static async start(settings: Readonly<Record<string, string>>, apiKey?: string): Promise<RunningService> {
    const dnsPort = await freePort();
    const process = zonesmith(["serve"], {
      HTTP_PORT: "0",
      DNS_PORT: String(dnsPort),
      ...(apiKey === undefined && { ADMIN_API_KEY: adminKey }),
      LOG_LEVEL: "silent",
      RATE_LIMIT_KEY: "0",
      RATE_LIMIT_ADDRESS: "0",
      ...settings,
    });
    const service = new RunningService(process, apiKey ?? adminKey, dnsPort);
    service.url = await process.answersAt();
    return service;
  }

  /** Creates a user and these domains of theirs; returns the user's id. */
  async domains(...zones: readonly string[]): Promise<string> {
    const userId = await this.user("owner@example.com");
    for (const zone of zones) await this.domain(zone, userId);
    return userId;
  }

  async isReady(): Promise<boolean> {
    return (await fetch(`${this.url}/readyz`)).status === 200;
  }

  /** Ends it, and waits for that; returns its exit code. */
  end(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    this.process.child.kill(signal);
    return this.process.ended();
  }
}
