// Whether a question only asks where something is: then references are the answer, and no code is shown (C-49).

const WHERE =
  /^\W*(?:(?:please|can you|could you)\s+)?(?:where\b|(?:in\s+)?(?:which|what)\s+(?:file|files|module|modules|folder|directory|package|place)\b|locate\b|find\s+(?:where|the\s+(?:file|files|place|definition)|all\s+files)\b|(?:list|name|point\s+to)\s+(?:the\s+)?files?\b|on\s+which\s+line\b)/i;
const MORE = /\b(?:how|why|explain|describe|what\s+happens|when\s+(?:is|are|does|do))\b/i;

/** Whether the question asks for a place and neither for how nor for why; understands English only. */
export function onlyAsksWhere(question: string): boolean {
  return WHERE.test(question) && !MORE.test(question);
}
