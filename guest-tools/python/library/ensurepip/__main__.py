import sys

import ensurepip

sys.exit(ensurepip._main())
