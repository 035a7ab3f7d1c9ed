import { createToolbox } from "@spillway/tools";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { outputSchema, portableSchema } from "../../src/mcp/schema.ts";
import { createCliHome } from "../helpers/cli.ts";

describe("portableSchema", () => {
  test("writes a list of types as alternatives", () => {
    expect(portableSchema({ type: ["number", "null"], description: "a" })).toEqual({
      anyOf: [{ type: "number" }, { type: "null" }],
      description: "a",
    });
  });

  test("says of a schema that takes anything that it does", () => {
    const schema = z.toJSONSchema(z.object({ next: z.record(z.string(), z.unknown()) }));
    expect(portableSchema(schema)).toHaveProperty("properties.next.additionalProperties", true);
  });

  test("leaves out the dialect and the bounds of safe integers, and nothing else", () => {
    const schema = z.toJSONSchema(
      z.object({ any: z.int(), few: z.int().min(1).max(5), list: z.array(z.int().min(0)) }),
    );
    expect(portableSchema(schema)).toEqual({
      type: "object",
      properties: {
        any: { type: "integer" },
        few: { type: "integer", minimum: 1, maximum: 5 },
        list: { type: "array", items: { type: "integer", minimum: 0 } },
      },
      required: ["any", "few", "list"],
      additionalProperties: false,
    });
  });
});

test("the schemas of all tools are objects without references, lists of types or bounds of safe integers", async () => {
  const home = await createCliHome();
  const toolbox = await createToolbox({ root: home.root, dataDir: home.dataDir });
  try {
    for (const tool of toolbox.tools) {
      const schemas = [portableSchema(tool.inputJsonSchema), outputSchema(tool.outputSchema)];
      for (const schema of schemas) {
        expect(schema.type).toBe("object");
        const text = JSON.stringify(schema);
        expect(text).not.toMatch(/"\$ref"|"\$schema"|"type":\[|9007199254740991/);
      }
    }
  } finally {
    await toolbox.close();
    await home.remove();
  }
});
