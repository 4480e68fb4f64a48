// SPDX-License-Identifier: Apache-2.0
/**
 * Pictures of figures, as SVG: curves over a logarithmic axis, and bars. What the figures mean is
 * not known here.
 */
package io.queuepair.tools.chart;
