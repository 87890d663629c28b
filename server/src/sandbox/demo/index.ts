// The demo next to Slipway: a receiver of webhooks with a page that shows them.
export { type DemoReceiver, startDemoReceiver } from './receiver.ts';
