// The rules for the addresses of webhooks and of other destinations that members choose.
import type { SettingName } from '../config/settings.ts';
import type { OutboundRules } from '../kit/outbound/outbound.ts';

interface OutboundSettings {
  webhookAllowHosts: readonly string[];
  webhookAllowCidrs: readonly string[];
}

/** The refusal names the setting, because a developer's first receiver often runs on the same machine or next to it. */
const permissionOf = (setting: SettingName): string => `The operator of this Slipway can allow others: ${setting}.`;

/** Returns the rules. `first` is a sentence before the one that names the setting. */
export function outboundRulesOf(settings: OutboundSettings, first?: string): OutboundRules {
  const adviceOf = (setting: SettingName): string => [first, permissionOf(setting)].filter(Boolean).join(' ');
  return {
    allowHosts: settings.webhookAllowHosts,
    allowCidrs: settings.webhookAllowCidrs,
    advice: {
      loopback: adviceOf('SLIPWAY_WEBHOOK_ALLOW_HOSTS'),
      private: adviceOf('SLIPWAY_WEBHOOK_ALLOW_CIDRS'),
    },
  };
}
