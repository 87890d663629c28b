// The texts of synthetic publications.
import type { CharacterSet } from '../../declaration.ts';

interface PublicationVocabulary {
  channels: readonly string[];
  authors: readonly string[];
  openings: readonly string[];
  subjects: readonly (readonly [subject: string, tag: string])[];
  bodies: readonly string[];
}

export const PUBLICATION_WORDS: Record<CharacterSet, PublicationVocabulary> = {
  plain: {
    channels: ['announcements', 'events', 'showcase', 'changelog', 'help-desk'],
    authors: ['Imke', 'Tomás', 'Aiko', 'Priya', 'Noah', 'Zeynep', 'Marek', 'Ines'],
    openings: ['Join us for', 'What is new in', 'A recap of', 'Help us with', 'Last call for', 'Behind the scenes of'],
    subjects: [
      ['the monthly meetup', 'meetup'],
      ['our new moderation rules', 'rules'],
      ['the winter challenge', 'winter'],
      ['the archive of past talks', 'archive'],
      ['the beginners’ corner', 'beginners'],
      ['the community survey', 'survey'],
      ['the swap market', 'market'],
      ['open office hours', 'hours'],
    ],
    bodies: [
      'We begin at **19:00** in the main channel.\n\n- Bring a question.\n- Bring a friend.',
      'Thank you for more than *two hundred* answers. The short version:\n\n1. More of this.\n2. Less of that.',
      'Nothing changes for most of you. If you moderate a channel, please read the [guide](https://guide.sandbox.invalid/).',
      'The recording is in the archive. `#help-desk` is open for everything that we did not get to.',
    ],
  },
  unicode: {
    channels: ['إعلانات', 'הודעות', 'お知らせ', '공지사항', '📣-general', 'объявления'],
    authors: ['ليلى', 'נועה', '葵', '하윤', 'Þórdís', 'Zoe\u0308', '👩🏾‍🚒', 'Nguyễn'],
    openings: ['انضموا إلى', 'הצטרפו אל', '速報：', '다시 보는', '🎉🎊', 'Z\u0351a\u0308l\u0317g\u0334o\u0336'],
    subjects: [
      ['اللقاء الشهري', 'لقاء'],
      ['הכללים החדשים', 'כללים'],
      ['冬の挑戦', '冬'],
      ['설문 조사', '설문'],
      ['👨‍👩‍👧‍👦 день открытых дверей', '👨‍👩‍👧‍👦'],
      ['Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz', 'e\u0301te\u0301'],
    ],
    bodies: [
      'نبدأ الساعة **١٩:٠٠** في القناة الرئيسية.\n\n- أحضر سؤالاً.\n- bring a friend 🧑‍🤝‍🧑.',
      'תודה על *מאתיים* תשובות.\n\n1. עוד מזה.\n2. less of that.',
      '多くの方には変更はありません。司会の方は[案内](https://guide.sandbox.invalid/)をお読みください。',
      'Ａ　ｆｕｌｌ　ｗｉｄｔｈ　ｌｉｎｅ, a 𝒔𝒄𝒓𝒊𝒑𝒕 one, and one that Z\u0351\u034c\u0300a\u0308l\u0317g\u0334o\u0336 wrote.\n\n`#도움말`',
    ],
  },
};
