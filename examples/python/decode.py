"""Says what ids mean:  decode.py LAYOUT ID [LAYOUT ID ...]"""

import sys

from say import say

import polyflake

for layout, id in zip(sys.argv[1::2], sys.argv[2::2]):
    say(polyflake.from_text(id), polyflake.Layout(layout))
