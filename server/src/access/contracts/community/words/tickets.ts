// The texts of synthetic tickets.
import type { CharacterSet } from '../../declaration.ts';

interface TicketVocabulary {
  subjects: readonly (readonly [subject: string, body: string])[];
  names: readonly string[];
  labels: readonly string[];
}

export const TICKET_WORDS: Record<CharacterSet, TicketVocabulary> = {
  plain: {
    subjects: [
      ['Cannot join the voice channel', 'Since this morning it asks for a role that I already have.'],
      ['Where is the recording of Thursday?', 'The link in the announcement leads to an empty page.'],
      ['Please move my seat', 'I booked for Friday and meant Saturday.'],
      ['An idea for the swap market', 'Could there be a table for what is broken but mendable?'],
      ['Notifications arrive twice', 'Each answer reaches me as a message and as a mention.'],
      ['How do I become a moderator?', 'I have been here for a year and would like to help.'],
    ],
    names: ['Imke', 'Tomás', 'Aiko', 'Priya', 'Noah', 'Zeynep', 'Marek', 'Ines'],
    labels: ['voice', 'archive', 'booking', 'market', 'notifications', 'members'],
  },
  unicode: {
    subjects: [
      ['لا أستطيع دخول القناة الصوتية', 'منذ الصباح تطلب دوراً — I already have it.'],
      ['היכן ההקלטה?', 'הקישור מוביל לדף ריק 🫥.'],
      ['席を替えてください', '金曜日ではなく土曜日のつもりでした。'],
      ['알림이 두 번 와요', '답변마다 메시지와 멘션으로 옵니다.'],
      ['👨‍👩‍👧‍👦🎟️❓', 'Z\u0351a\u0308l\u0317g\u0334o\u0336'],
      ['Kraftfahrzeughaftpflichtversicherungsfragebogen', 'Cafe\u0301 or café?'],
    ],
    names: ['ليلى', 'נועה', '葵', '하윤', 'Þórdís', 'Zoe\u0308', '👩🏾‍🚒', 'Nguyễn'],
    labels: ['صوت', 'ארכיון', '予約', '알림', '🎟️', 'e\u0301te\u0301'],
  },
};
