/** Configuration of MikroORM's own command line (`npx mikro-orm …`), for the database at DATABASE_URL. */
import { readConfig } from "./src/config/config.ts";
import { ormOptions } from "./src/service/database/open-database.ts";

export default ormOptions({ url: readConfig(process.env).DATABASE_URL || "postgresql://localhost/zonesmith" });
