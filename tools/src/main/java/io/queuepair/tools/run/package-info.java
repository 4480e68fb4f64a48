// SPDX-License-Identifier: Apache-2.0
/** {@code queuepair run}: runs unmodified programs with an emulated device. */
package io.queuepair.tools.run;
