// SPDX-License-Identifier: Apache-2.0
/**
 * Classes that take the place of two of DiSNI's own, which load native code or use internals of the
 * JDK. {@code ReplacementClasses} gives them DiSNI's package when they are defined.
 */
package io.queuepair.disni.replacement;
