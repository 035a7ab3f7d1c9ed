;; Counts what a scan needs to know of a stretch of bytes, sixteen at a time.
;; count(at, end) looks at the bytes from `at` up to `end` (both offsets into the memory) and leaves five 32-bit
;; numbers at offset 0: line feeds, carriage returns, carriage returns with a line feed behind them (both inside the
;; stretch), bytes 80 to BF (the second and later bytes of UTF-8 characters), and zero where every byte is ASCII.
;; One byte behind `end` may be read.
(module
  (import "kernel" "memory" (memory 9))
  (func (export "count") (param $at i32) (param $end i32)
    (local $v v128) (local $cr v128) (local $marks v128)
    (local $lf8 v128) (local $cr8 v128) (local $crlf8 v128) (local $tail8 v128)
    (local $lf v128) (local $crs v128) (local $crlf v128) (local $tail v128) (local $high v128)
    (local $stop i32) (local $batchEnd i32) (local $start i32) (local $byte i32)
    (local $lfs i32) (local $crCount i32) (local $crlfs i32) (local $tails i32) (local $highs i32)
    ;; A vector step also looks one byte ahead: the last 16 bytes are left to the loop below.
    (local.set $stop (i32.sub (local.get $end) (i32.const 16)))
    (block $vectorsDone
      (loop $batches
        (br_if $vectorsDone (i32.ge_s (local.get $at) (local.get $stop)))
        ;; An 8-bit lane holds at most 255.
        (local.set $batchEnd (i32.add (local.get $at) (i32.const 4080)))
        (if (i32.gt_s (local.get $batchEnd) (local.get $stop)) (then (local.set $batchEnd (local.get $stop))))
        (local.set $start (local.get $at))
        (local.set $lf8 (v128.const i64x2 0 0))
        (local.set $marks (v128.const i64x2 0 0))
        ;; Nearly every batch is ASCII without a carriage return.
        (loop $plain
          (local.set $v (v128.load (local.get $at)))
          (local.set $lf8 (i8x16.sub (local.get $lf8) (i8x16.eq (local.get $v) (i8x16.splat (i32.const 10)))))
          (local.set $marks (v128.or (local.get $marks)
            (v128.or (local.get $v) (i8x16.eq (local.get $v) (i8x16.splat (i32.const 13))))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $plain (i32.lt_s (local.get $at) (local.get $batchEnd))))
        (local.set $lf (i32x4.add (local.get $lf)
          (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $lf8)))))
        (br_if $batches (i32.eqz (i8x16.bitmask (local.get $marks))))
        (local.set $at (local.get $start))
        (local.set $cr8 (v128.const i64x2 0 0))
        (local.set $crlf8 (v128.const i64x2 0 0))
        (local.set $tail8 (v128.const i64x2 0 0))
        (loop $other
          (local.set $v (v128.load (local.get $at)))
          (local.set $cr (i8x16.eq (local.get $v) (i8x16.splat (i32.const 13))))
          (local.set $cr8 (i8x16.sub (local.get $cr8) (local.get $cr)))
          (local.set $crlf8 (i8x16.sub (local.get $crlf8)
            (v128.and (local.get $cr)
              (i8x16.eq (v128.load offset=1 (local.get $at)) (i8x16.splat (i32.const 10))))))
          (local.set $tail8 (i8x16.sub (local.get $tail8) (i8x16.lt_s (local.get $v) (i8x16.splat (i32.const -64)))))
          (local.set $high (v128.or (local.get $high) (local.get $v)))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $other (i32.lt_s (local.get $at) (local.get $batchEnd))))
        (local.set $crs (i32x4.add (local.get $crs)
          (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $cr8)))))
        (local.set $crlf (i32x4.add (local.get $crlf)
          (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $crlf8)))))
        (local.set $tail (i32x4.add (local.get $tail)
          (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $tail8)))))
        (br $batches)))
    (local.set $lfs (call $sum (local.get $lf)))
    (local.set $crCount (call $sum (local.get $crs)))
    (local.set $crlfs (call $sum (local.get $crlf)))
    (local.set $tails (call $sum (local.get $tail)))
    (local.set $highs (i8x16.bitmask (local.get $high)))
    (block $bytesDone
      (loop $bytes
        (br_if $bytesDone (i32.ge_s (local.get $at) (local.get $end)))
        (local.set $byte (i32.load8_u (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (local.set $lfs (i32.add (local.get $lfs) (i32.eq (local.get $byte) (i32.const 10))))
        (local.set $tails (i32.add (local.get $tails)
          (i32.eq (i32.and (local.get $byte) (i32.const 0xc0)) (i32.const 0x80))))
        (local.set $highs (i32.or (local.get $highs) (i32.and (local.get $byte) (i32.const 0x80))))
        (if (i32.eq (local.get $byte) (i32.const 13))
          (then
            (local.set $crCount (i32.add (local.get $crCount) (i32.const 1)))
            (local.set $crlfs (i32.add (local.get $crlfs)
              (i32.and (i32.lt_s (local.get $at) (local.get $end))
                (i32.eq (i32.load8_u (local.get $at)) (i32.const 10)))))))
        (br $bytes)))
    (i32.store offset=0 (i32.const 0) (local.get $lfs))
    (i32.store offset=4 (i32.const 0) (local.get $crCount))
    (i32.store offset=8 (i32.const 0) (local.get $crlfs))
    (i32.store offset=12 (i32.const 0) (local.get $tails))
    (i32.store offset=16 (i32.const 0) (local.get $highs)))
  (func $sum (param $v v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $v)) (i32x4.extract_lane 1 (local.get $v)))
      (i32.add (i32x4.extract_lane 2 (local.get $v)) (i32x4.extract_lane 3 (local.get $v))))))
