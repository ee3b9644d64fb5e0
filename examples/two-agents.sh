#!/bin/sh
# Two agents on one task list: the second is refused the task of the first, and takes the next one.
set -eu
rudder init
rudder prd create "Shop"
rudder epic create PRD-001 "Checkout"
rudder task create E001 "Parse the header" --effort S
rudder task create E001 "Add up the prices" --effort S

RUDDER_AGENT=ada rudder assign claim T001
if RUDDER_AGENT=bob rudder assign claim T001; then exit 1; fi # ada has it
RUDDER_AGENT=bob rudder assign claim T002

RUDDER_AGENT=ada rudder task log T001 "Dates are in UTC" --tip
RUDDER_AGENT=bob rudder task show-memory T002 # what ada learned is there
RUDDER_AGENT=ada rudder assign release T001
rudder status
