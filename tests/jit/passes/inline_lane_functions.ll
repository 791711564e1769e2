; Functions of the lanes of a vector are inlined where they have up to four calls; those with more stay, so that the
; code does not grow with each call.
; passes: inline-lane-functions
; isa: reference
; expect: define void @few
; expect: = fadd <16 x float> %a, %a
; expect: define void @many
; expect-count: 4 = fadd <16 x float> %a, %a
; expect-count: 5 call <16 x float> @often\(
; expect-count: 5 call
; expect: define internal <16 x float> @often
; expect-not: @twice
define void @few(<16 x float> %a, ptr %to) {
  %v0 = call <16 x float> @twice(<16 x float> %a)
  store <16 x float> %v0, ptr %to
  %v1 = call <16 x float> @twice(<16 x float> %a)
  store <16 x float> %v1, ptr %to
  %v2 = call <16 x float> @twice(<16 x float> %a)
  store <16 x float> %v2, ptr %to
  %v3 = call <16 x float> @twice(<16 x float> %a)
  store <16 x float> %v3, ptr %to
  ret void
}
define void @many(<16 x float> %a, ptr %to) {
  %v0 = call <16 x float> @often(<16 x float> %a)
  store <16 x float> %v0, ptr %to
  %v1 = call <16 x float> @often(<16 x float> %a)
  store <16 x float> %v1, ptr %to
  %v2 = call <16 x float> @often(<16 x float> %a)
  store <16 x float> %v2, ptr %to
  %v3 = call <16 x float> @often(<16 x float> %a)
  store <16 x float> %v3, ptr %to
  %v4 = call <16 x float> @often(<16 x float> %a)
  store <16 x float> %v4, ptr %to
  ret void
}
define internal <16 x float> @twice(<16 x float> %v) !tessera.function !{!"lanes", i64 0} {
  %sum = fadd <16 x float> %v, %v
  ret <16 x float> %sum
}
define internal <16 x float> @often(<16 x float> %v) !tessera.function !{!"lanes", i64 1} {
  %sum = fadd <16 x float> %v, %v
  ret <16 x float> %sum
}
