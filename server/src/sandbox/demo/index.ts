// What the demo runs beside Slipway: a receiver of webhooks to look at.
export { type DemoReceiver, type DemoReceiverOptions, startDemoReceiver } from './receiver.ts';
