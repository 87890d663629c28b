// The version of the CLI, which `--version` prints and the MCP server reports.
export const VERSION = '0.1.0';
