// SPDX-License-Identifier: Apache-2.0
/** Templates of generated pages. The content of their placeholders is not known here. */
package io.queuepair.tools.page;
