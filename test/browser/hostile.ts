// What a hostile receiver answers and a hostile member calls things. Each would call `caught` where it is taken for more than text.
export const HOSTILE = [
  '<script>caught(1)</script>',
  '<img src=x onerror=caught(2)>',
  '"><svg/onload=caught(3)>',
  "javascript:caught(4)//'><a href=javascript:caught(5)>x</a>",
  '</pre></code><iframe srcdoc="<script>parent.caught(6)</script>">',
  '<details open ontoggle=caught(7)><style>*{display:none}</style>',
  '{{constructor.constructor("caught(8)")()}}',
];
