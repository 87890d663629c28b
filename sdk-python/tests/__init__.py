import sys
from pathlib import Path

# The tests run on the sources, unless the package is installed.
if "slipway" not in sys.modules:
    sys.path.insert(0, str(Path(__file__).parent.parent / "src"))
