/** The indexes of searches. Each start creates them, and no migration, since some databases cannot have their extension pg_trgm. */
import type { EntityManager } from "@mikro-orm/postgresql";

/** The operator class of trigrams; an entity declares the index of a search with it. */
const operatorClass = "gin_trgm_ops";

export const isSearchIndex = (statement: string) => statement.includes(operatorClass);

export async function createSearchIndexes(em: EntityManager): Promise<boolean> {
  const indexes = [...em.getMetadata().getAll().values()]
    .flatMap((entity) => entity.indexes)
    .map(({ name, expression }) => ({ name: String(name), statement: String(expression) }))
    .filter(({ statement }) => isSearchIndex(statement));
  const missing = indexes.map(({ name, statement }) => {
    const format = statement.replaceAll(operatorClass, "%1$s");
    return `if to_regclass('${name}') is null then execute format('${format}', trigrams); end if;`;
  });
  await em.execute(`do $$
    declare trigrams text;
    begin
      begin
        create extension if not exists pg_trgm;
      exception when insufficient_privilege or feature_not_supported or undefined_file then null;
      end;
      select quote_ident(n.nspname) || '.${operatorClass}' into trigrams
      from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm';
      if trigrams is not null then ${missing.join(" ")} end if;
    end $$`);
  const [found] = await em.execute("select exists (select from pg_extension where extname = 'pg_trgm') as \"isThere\"");
  return (found as { isThere: boolean }).isThere;
}
