# SPDX-License-Identifier: BSD-3-Clause
"""What programs of MDS-Ach import beside mds_ik: the names of the components of a pose."""

from mds_ik import DEFAULT_ERROR, DEFAULT_STEPS, ORDER

__all__ = ["DEFAULT_ERROR", "DEFAULT_STEPS", "ORDER"]
