import { adapt } from '#shared/tools/ai-tool.ts';
import McpAuditLogTool from '../../Mcp/Tools/AuditLogTool.ts';

export default class AuditLogTool extends adapt(McpAuditLogTool) {}
