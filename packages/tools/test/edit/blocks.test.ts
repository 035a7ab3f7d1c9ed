import { describe, expect, test } from "vitest";
import { type Blocks, openBlocks } from "../../src/edit/blocks.ts";
import { grammarFor, parseText } from "../../src/edit/grammars.ts";
import { isToolError, type ToolError } from "../../src/error.ts";

async function using<Value>(path: string, text: string, act: (blocks: Blocks) => Value): Promise<Value> {
  const blocks = await openBlocks(path, text);
  try {
    return act(blocks);
  } finally {
    blocks.close();
  }
}

function resolve(path: string, text: string, line: number) {
  return using(path, text, (blocks) => blocks.block(line, `PUT ${line}*:`));
}

async function refusal(path: string, text: string, line: number): Promise<ToolError> {
  try {
    await resolve(path, text, line);
  } catch (error) {
    if (isToolError(error)) return error;
    throw error;
  }
  throw new Error("A block was found");
}

const TYPESCRIPT = `import { a } from "a";

/** Says hello. */
@Injectable()
export class Greeter<T> {
  private readonly names = [
    "a",
    "b",
  ];

  @Log()
  greet(name: string): void {
    if (name === "") {
      return;
    } else {
      print(
        name,
      );
    }
  }
}

export const f = async (x: number) => {
  return x;
};

type Shape = {
  a: string;
};
const table = { one: 1 }; const other = {
  two: 2,
};
`;

describe("openBlocks", () => {
  test.each([
    [5, [5, 21], "a class, not its decorator"],
    [6, [6, 9], "a member"],
    [12, [12, 20], "a method, not its decorator"],
    [13, [13, 19], "a statement"],
    [16, [16, 18], "a call"],
    [23, [23, 25], "an exported function in a constant"],
    [27, [27, 29], "a type"],
  ])("resolves line %s of TypeScript to %j: %s", async (line, expected) => {
    expect(await resolve("a.ts", TYPESCRIPT, line)).toEqual(expected);
  });

  test.each([
    [
      "src/lib.rs",
      "use a;\n\n#[derive(Debug)]\npub struct P {\n    x: i32,\n}\n\nimpl P {\n    fn f(&self) -> i32 {\n        1\n    }\n}\n",
      [
        [4, 6],
        [8, 12],
        [9, 11],
      ],
    ],
    [
      "a.tsx",
      "const a = (\n  <ul>\n    <li\n      key={1}\n    />\n  </ul>\n);\n",
      [
        [1, 7],
        [2, 6],
        [3, 5],
      ],
    ],
    [
      "a.mjs",
      "export function f() {\n  return [\n    1,\n  ];\n}\n",
      [
        [1, 5],
        [2, 4],
      ],
    ],
    [
      "a.json",
      '{\n  "a": {\n    "b": [\n      1\n    ]\n  },\n  "c": 2\n}\n',
      [
        [1, 8],
        [2, 6],
        [3, 5],
      ],
    ],
    [
      "tsconfig.json",
      '{\n  // note\n  "a": {\n    "b": 1,\n  },\n}\n',
      [
        [1, 6],
        [3, 5],
      ],
    ],
    [
      "a.css",
      "a {\n  color: red;\n}\n@media print {\n  b {\n    top: 0;\n  }\n}\n",
      [
        [1, 3],
        [4, 8],
        [5, 7],
      ],
    ],
    [
      "a.py",
      "@wrap\ndef f(\n    a,\n):\n    if a:\n        return 1\n    return 2\n\n\nclass C:\n    x = 1\n\n    def m(self):\n        pass\n",
      [
        [2, 7],
        [5, 6],
        [10, 14],
        [13, 14],
      ],
    ],
    [
      "a.toml",
      '[package]\nname = "x"\n\n[deps]\na = [\n  1,\n]\n',
      [
        [1, 2],
        [4, 7],
        [5, 7],
      ],
    ],
    [
      "a.yaml",
      "jobs:\n  build:\n    steps:\n      - run: x\n        name: y\n      - run: z\nend: 1\n",
      [
        [1, 6],
        [2, 6],
        [3, 6],
        [4, 5],
      ],
    ],
    [
      "a.html",
      "<html>\n<body>\n<div\n  class=a>\n  <p>x</p>\n</div>\n</body>\n</html>\n",
      [
        [1, 8],
        [2, 7],
        [3, 6],
      ],
    ],
    [
      "a.sh",
      "f() {\n  if true; then\n    echo\n  fi\n}\nfor x in a; do\n  echo\ndone\n",
      [
        [1, 5],
        [2, 4],
        [6, 8],
      ],
    ],
    [
      "a.md",
      "# A\ntext\n## B\nmore\n",
      [
        [1, 4],
        [3, 4],
      ],
    ],
    [
      "a.go",
      "package a\n\nfunc f() {\n\tif true {\n\t\treturn\n\t}\n}\n",
      [
        [3, 7],
        [4, 6],
      ],
    ],
    [
      "A.java",
      "class A {\n  void f() {\n    g();\n  }\n}\n",
      [
        [1, 5],
        [2, 4],
      ],
    ],
    [
      "a.c",
      "int f(void)\n{\n  return 1;\n}\nstruct s {\n  int a;\n};\n",
      [
        [1, 4],
        [2, 4],
        [5, 7],
      ],
    ],
    [
      "A.cs",
      "class A {\n  void F() {\n    G();\n  }\n}\n",
      [
        [1, 5],
        [2, 4],
      ],
    ],
    [
      "a.php",
      "<?php\nfunction f() {\n  return [\n    1,\n  ];\n}\n",
      [
        [2, 6],
        [3, 5],
      ],
    ],
    [
      "a.rb",
      "class A\n  def f\n    1\n  end\nend\n",
      [
        [1, 5],
        [2, 4],
      ],
    ],
  ])("resolves the blocks of %s", async (path, text, expected) => {
    await using(path, text, (blocks) => {
      for (const [first, last] of expected) expect(blocks.block(first ?? 0, "CUT *")).toEqual([first, last]);
    });
  });

  test("resolves the same blocks where lines end with CRLF", async () => {
    const text = TYPESCRIPT.replaceAll("\n", "\r\n");
    expect(await resolve("a.ts", text, 5)).toEqual([5, 21]);
    expect(await resolve("a.ts", text, 27)).toEqual([27, 29]);
  });

  test.each([
    ["an empty line", "a.ts", TYPESCRIPT, 2, "the line is empty"],
    ["a line that opens nothing", "a.ts", TYPESCRIPT, 1, "opens no construct of several lines"],
    ["a line inside a construct", "a.ts", TYPESCRIPT, 8, "opens no construct of several lines"],
    ["a closing line", "a.ts", TYPESCRIPT, 21, "opens no construct of several lines"],
    [
      "a construct that begins in the middle of its line",
      "a.ts",
      TYPESCRIPT,
      30,
      "opens no construct of several lines",
    ],
    ["a construct that ends in the middle of a line", "a.ts", "f({\n  a,\n}); g();\n", 1, "holds something else"],
    ["a file that does not parse", "a.ts", "function f( {\n  a\n", 1, "does not parse as typescript"],
    ["an unknown language", "a.xyz", "a {\n}\n", 1, 'blocks of ".xyz" files are not known'],
    ["a file without extension", "Makefile", "a:\n\tb\n", 1, "Makefile"],
    ["a text that is too large", "a.ts", "x;\n".repeat(700_000), 1, "too large"],
  ])("refuses %s and names the plain range", async (_, path, text, line, reason) => {
    const error = await refusal(path, text, line);
    expect(error.code).toBe("EDIT_BLOCK_UNRESOLVED");
    expect(error.what).toContain(reason);
    expect(error.next).toContain(`PUT ${line}.=M:`);
  });

  test("stops parsing when it is told to", async () => {
    const grammar = grammarFor("a.ts");
    if (grammar === undefined) throw new Error("TypeScript has a grammar");
    expect(await parseText(grammar, TYPESCRIPT.repeat(200), () => true)).toBe("cancelled");
  });

  test("says which packages are missing", async () => {
    const missing = { name: "cobol", packages: ["web-tree-sitter", "nobody-has-this"], wasm: "nobody-has-this/x.wasm" };
    expect(await parseText(missing, "", () => false)).toBeUndefined();
  });
});
