import type { CodegenConfig } from "@graphql-codegen/cli";

const config: CodegenConfig = {
  schema: "../../schema.graphql",
  documents: "src/**/*.{ts,tsx}",
  config: {
    strictScalars: true,
    scalars: { DateTime: "string", RecordType: "string", Serial: "number", UInt32: "number" },
    useTypeImports: true,
  },
  generates: {
    "src/generated/": { preset: "client" },
    // Types that no operation reads, such as ErrorExtensions and ErrorCode, which errors have.
    "src/generated/schema.ts": { plugins: ["typescript"], config: { enumsAsTypes: true } },
  },
};

export default config;
