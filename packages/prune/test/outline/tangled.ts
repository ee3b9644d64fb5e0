// Code with everything that a careless cut tears: chains, literals over many lines, attributes, empty blocks.
export const TANGLED: Readonly<Record<string, string>> = {
  python: `import os
from typing import (
    Any,
    Mapping,
)

TABLE = {
    "one": 1,  # first
    "two": [
        2,
        3,
    ],
    **{
        "four": 4,
    },
}


@decorate(
    "name",
    flag=True,
)
@plain
def load(
    path: str,
    *,
    mode: str = "r",
) -> Mapping[
    str, Any
]:
    """Loads.

    Text of the doc.
    """
    # a comment of its own
    total = (
        path
        + mode
        if path
        else mode
    )
    if path == "a" and (
        mode == "b"
    ):
        return first(
            path,
        )
    elif path:
        # why
        return second(path)
    else:
        pass
    try:
        with open(path) as f, \\
                open(mode) as g:
            for line in f:
                yield line
            else:
                done()
    except (KeyError, ValueError) as error:
        raise Bad(
            "message "
            "over lines"
        ) from error
    except OSError:
        pass
    else:
        ok()
    finally:
        close()
    match mode:
        case "r":
            x = 1
        case _:
            x = [
                y
                for y in path
                if y
            ]
    return """text
    that goes on
""" + total


class Box(Base):
    size: int = 3

    @property
    def name(self):
        return lambda: (
            self.size
        )
`,
  typescript: `import { a, b } from "x"
import type {
  C,
  D,
} from "y"

export type Union =
  | "one"
  | "two"
  | { kind: "three"; value: number }

export interface Box<T> {
  /** Doc. */
  name: string
  put(
    value: T,
  ): void
}

export const table = {
  one: 1,
  two: [
    2,
    3,
  ],
  three() {
    return 3
  },
  ...rest({
    four: 4,
  }),
}

export function pick(n: number, { deep, down }: { deep: string; down: number }): string {
  if (n === 1) {
    return "first"
  } else if (n === 2) {
    return "second"
  } else if (n === 3) {
    // why
    return 'third'
  } else {
    const text = \`long \${
      n + 1
    } text
      that goes on
    \`
    return text
  }
}

@Injectable({
  scope: "all",
})
export class Service extends Base {
  private readonly map = new Map<string, number>()

  @Input()
  @Other({
    a: 1,
  })
  value = 3

  constructor(
    private readonly one: C,
    readonly two: D,
  ) {
    super()
  }

  async run(x: unknown) {
    try {
      await this.one
        .call((y) => {
          log(y)
          return y
        })
        .then(done)
    } catch (error) {
      throw new Error("no")
    } finally {
      this.close()
    }
    switch (x) {
      case 1:
      case 2: {
        return a
      }
      case 3:
        log(x)
        break
      default:
        return b
    }
    const long =
      x === 1 ||
      x === 2 ||
      (x === 3 &&
        pick(3))
    return long
      ? {
          yes: 1,
        }
      : [
          0,
        ]
  }
}

describe("suite", () => {
  it("does", async () => {
    const got = await pick(1)
    expect(got).toEqual({
      a: 1,
    })
  })
})

export enum Color {
  Red = 1,
  Green,
}
`,
  tsx: `import { h } from "preact"

export function View({ items, open }: { items: string[]; open: boolean }) {
  const count = items.length
  return (
    <section
      class="view"
      onClick={() => {
        log(count)
      }}
    >
      <h1>Title</h1>
      {open && (
        <ul>
          {items.map((item) => (
            <li key={item}>
              {item}
            </li>
          ))}
        </ul>
      )}
      text that stands alone
      <Footer
        count={count}
        {...rest}
      />
    </section>
  )
}

export const Small = () => <p>hi</p>

export function Other() {
  return open ? (
    <b>
      yes
    </b>
  ) : (
    <i>no</i>
  )
}
`,
  javascript: `'use strict'

const { a, b } = require('x')
const one = 1,
  two = 2

module.exports = function build (options, done) {
  const self = this
  if (!options) return done()
  for (let i = 0; i < 3; i++) {
    if (i === 1) continue
    else if (i === 2) {
      log(i)
    } else {
      break
    }
  }
  do {
    self.next()
  } while (self.more)
  options.on('x', function (err) {
    if (err) {
      throw err
    }
    done(null, {
      a,
      b
    })
  })
  label: while (true) {
    break label
  }
  return new Promise((resolve, reject) => {
    setTimeout(resolve, 10)
  }).then(() => {
    return [
      a,
      b
    ]
  })
}

class Box extends Base {
  static #count = 0

  get size () {
    return this.items
      .filter((x) => x)
      .length
  }
}
`,
  go: `// Package box holds.
package box

import (
	"fmt"

	other "net/http"
)

const (
	One = iota
	Two
	Three
)

var table = map[string][]int{
	"one": {1, 2},
	"two": {
		3,
		4,
	},
}

// Box is a box.
type Box struct {
	Name string \`json:"name"\`
	Size int
}

type Putter interface {
	Put(x int) error
	Get() (int, error)
}

func (b *Box) Put(
	x int,
	rest ...string,
) (int, error) {
	if v, ok := table["one"]; ok {
		return v[0], nil
	} else if x == 2 {
		fmt.Println("two",
			x,
		)
	} else {
		x++
	}
	switch {
	case x == 1:
		x = 2
	case x == 2, x == 3:
		return 3, nil
	default:
	}
	select {
	case <-b.done:
		return 0, nil
	case b.in <- x:
		x--
	}
	go func() {
		defer b.close()
		for i := range rest {
			fmt.Println(i)
		}
	}()
	return call(func(y int) error {
		return nil
	}, Box{
		Name: "n",
		Size: 1,
	})
}

func text() string {
	return \`raw
text
\` + "more"
}
`,
  rust: `//! Crate doc.
use std::{
    fmt,
    io::{self, Read},
};

/// A box.
#[derive(Debug, Clone)]
#[cfg(
    feature = "x"
)]
pub struct Box<T>
where
    T: fmt::Debug,
{
    /// Name.
    pub name: String,
    size: usize,
}

#[derive(Debug)]
enum Kind {
    One,
    Two(usize),
    Three {
        a: u8,
        b: u8,
    },
}

impl<T: fmt::Debug> Box<T> {
    #[inline]
    pub fn put(
        &self,
        x: usize,
    ) -> Result<usize, io::Error> {
        let y = if x == 1 {
            2
        } else if x == 2 {
            3
        } else {
            4
        };
        let z = match self.kind {
            Kind::One => 1,
            Kind::Two(n) if n > 3 => {
                let m = n;
                m + 1
            }
            Kind::Three { a, .. } => {
                a as usize
            }
            _ => return Err(bad()),
        };
        let Some(w) = self.find(z) else {
            return Ok(0);
        };
        let made = Other {
            name: "n".to_string(),
            size: w,
            ..Default::default()
        };
        println!(
            "{} {}",
            made.name,
            y
        );
        self.items
            .iter()
            .filter(|i| {
                i.ok()
            })
            .map(|i| i.size)
            .sum::<usize>()
            .checked_add(1)
            .ok_or_else(bad)
    }
}

macro_rules! make {
    ($x:expr) => {
        $x + 1
    };
    ($x:expr, $y:expr) => {
        $x + $y
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn works() {
        let list = vec![
            1,
            2,
        ];
        loop {
            break;
        }
        assert_eq!(list.len(), 2);
    }
}
`,
  java: `package a.b;

import java.util.List;
import static java.util.Map.entry;

/**
 * Doc.
 */
@Annotated(
    name = "x",
    value = {"a", "b"})
public class Box<T extends Comparable<T>>
    extends Base
    implements Other {

  private static final List<String> NAMES =
      List.of(
          "one",
          "two");

  enum Color {
    RED("r") {
      @Override
      String code() {
        return "x";
      }
    },
    GREEN("g"),
    BLUE("b");

    private final String code;

    Color(String code) {
      this.code = code;
    }
  }

  public Box(
      String name,
      int size) {
    super(name);
    this.size = size;
  }

  @Override
  public int put(int x) throws Exception {
    if (x == 1) {
      return 1;
    } else if (x == 2) {
      call(
          x,
          y -> {
            log(y);
            return y;
          });
    } else {
      x++;
    }
    try (Reader r = open()) {
      r.read();
    } catch (IOException | RuntimeException e) {
      throw new Bad(e);
    } finally {
      close();
    }
    switch (x) {
      case 1:
      case 2:
        x = 3;
        break;
      default:
        x = 4;
    }
    String text = "a"
        + "b"
        + x;
    int[] numbers = {
      1,
      2,
    };
    do {
      x--;
    } while (x > 0);
    return new Builder()
        .name(text)
        .size(numbers.length)
        .build();
  }

  interface Inner {
    void go();
  }
}
`,
  cpp: `#pragma once
#include <vector>

#ifndef SIZE
#define SIZE 3
#define LONG_MACRO(x) \\
  do {                \\
    use(x);           \\
  } while (0)
#else
static int other;
#endif

namespace box {

template <typename T,
          int N>
class Box : public Base {
 public:
  Box(int size, const char* name)
      : size_(size),
        name_(name) {
    init();
  }

  int put(
      int x,
      int y) const override {
    if (x == 1) {
      return 1;
    } else if (x == 2) {
      call(x,
           y);
    } else {
      x++;
    }
    try {
      risky();
    } catch (const Bad& b) {
      log(b);
    } catch (...) {
      throw;
    }
    switch (x) {
      case 1:
      case 2: {
        x = 3;
        break;
      }
      default:
        x = 4;
    }
    auto f = [&](int a) {
      use(a);
      return a;
    };
    std::vector<int> numbers = {
        1,
        2,
    };
    return numbers.size() +
           f(x);
  }

 private:
  enum class Color {
    Red,
    Green,
  };
  int size_;
};

extern "C" {
int plain(void);
}

}  // namespace box

static int
old_style(int a)
{
  while (a)
  {
    a--;
  }
  return a;
}
`,
};
