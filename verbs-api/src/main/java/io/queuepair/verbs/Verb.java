// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the function of libibverbs, or of librdmacm, that a method stands for. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Verb {
  /**
   * The C names.
   *
   * @return function names as in {@code infiniband/verbs.h} and {@code rdma/rdma_cma.h}
   */
  String[] value();
}
