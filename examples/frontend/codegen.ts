import type { CodegenConfig } from "@graphql-codegen/cli";

const config: CodegenConfig = {
  schema: "../../schema.graphql",
  documents: "src/**/*.{ts,tsx}",
  generates: {
    "src/generated/": {
      preset: "client",
      config: {
        enumsAsTypes: true,
        strictScalars: true,
        scalars: { DateTime: "string", RecordType: "string", Serial: "number" },
        useTypeImports: true,
      },
    },
  },
};

export default config;
