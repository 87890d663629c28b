// Sends the notices of an organisation to destinations that are not persons: signed webhooks, chats and on-call services.
import { createNoticeDestination } from './create-notice-destination.ts';
import { deleteNoticeDestination } from './delete-notice-destination.ts';
import { listNoticeDestinations } from './list-notice-destinations.ts';
import { testNoticeDestination } from './test-notice-destination.ts';
import { updateNoticeDestination } from './update-notice-destination.ts';

export const noticeDestinationOperations = [
  listNoticeDestinations,
  createNoticeDestination,
  updateNoticeDestination,
  deleteNoticeDestination,
  testNoticeDestination,
];
export { startMessages } from './send-messages.job.ts';
export { addToDestinations, type SentNotice } from './store.ts';
